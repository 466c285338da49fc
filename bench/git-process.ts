/** Serves the git repositories below a folder over HTTP, as a process of its own: its work is not counted as that of the service. */
import { serveGitOverHttp } from '../test/server/sources/git-server.ts'

const { url } = serveGitOverHttp(process.argv[2] ?? '.')
console.log(url)
