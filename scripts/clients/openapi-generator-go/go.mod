module flow

go 1.24

require github.com/svc/client v0.0.0

replace github.com/svc/client => ./client
