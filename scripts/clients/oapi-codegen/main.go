package main

import (
	"context"
	"net/http"
	"os"
)

func must(ok bool, what string) {
	if !ok {
		panic(what)
	}
}

func main() {
	name := os.Getenv("SVC_NAME")
	signed := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("SVC_TOKEN"))
		return nil
	}
	client, err := NewClientWithResponses(os.Getenv("SVC_URL"), WithRequestEditorFn(signed))
	must(err == nil, "the client was not made")
	ctx := context.Background()
	made, err := client.ProjectsCreateWithResponse(ctx, "local", ProjectsCreateRequest{Name: name})
	must(err == nil && made.JSON201 != nil && made.JSON201.Slug == name && made.JSON201.Description == nil, "the project was not created")
	listed, err := client.ProjectsListWithResponse(ctx, "local", &ProjectsListParams{Q: &name})
	must(err == nil && listed.JSON200 != nil && len(listed.JSON200.Items) == 1, "the project is not listed")
	missing, err := client.ProjectsGetWithResponse(ctx, "local", "not-there")
	must(err == nil && missing.StatusCode() == 404 && missing.JSON404 != nil, "no error for what is not there")
}
