import { randomBytes } from 'node:crypto'
import type { Call } from '../../src/api/endpoint.ts'
import { command } from '../../cli/declare.ts'
import { checkMcpAccess, openMcpAccess, toolNamesOf, type McpAccess } from '../../cli/mcp/access.ts'
import { version } from '../../cli/version.gen.ts'

/** How long a quiet start waits before it opens the database anyway, so that what is wrong with it is said. */
const openAfterMs = 250

export default command({
  summary: 'Serve published specifications to an agent over standard input and output',
  description:
    'Uses the Model Context Protocol on standard input and output. Reads the local workspace as its owner, or with SVC_MCP_DATABASE_URL (and SVC_MCP_INTERNAL_SECRET) a shared database as the key of each call allows. Ends when standard input ends.',
  examples: ['svc mcp', 'SVC_MCP_API_KEY=svm_… svc mcp --base-url https://svc.example.com'],
  arguments: [],
  options: {},
  graceful: true,
  async run(invocation) {
    const { env, globals, signal, io } = invocation
    const names = toolNamesOf(env)
    checkMcpAccess(env)
    const { serveMcpStdio } = await import('../../mcp/stdio.ts')
    // The host is greeted before the database is open: it is opened for the first call, or when there is time.
    let opening: Promise<McpAccess> | null = null
    const open = (): Promise<McpAccess> => (opening ??= openMcpAccess(invocation, 'owner'))
    const failed = new AbortController()
    let failure: unknown = null
    const timer = setTimeout(() => {
      open().catch((error: unknown) => {
        failure = error
        failed.abort()
      })
    }, openAfterMs)
    try {
      await serveMcpStdio({
        version,
        callFor: (key) => (async (endpoint, input) => (await open()).callFor(key)(endpoint, input)) satisfies Call,
        names,
        // A session is over with its process: where no secret is shared, no one else needs to read its cursors.
        secret: env.SVC_MCP_INTERNAL_SECRET || randomBytes(32),
        key: env.SVC_MCP_API_KEY || globals.apiKey || null,
        input: process.stdin,
        output: process.stdout,
        signal: AbortSignal.any([signal, failed.signal]),
        onFault: (fault) => io.log.error(fault instanceof Error ? fault.message : String(fault)),
      })
    } finally {
      clearTimeout(timer)
      if (opening !== null)
        await (opening as Promise<McpAccess>).then(
          (access) => access.close(),
          () => {},
        )
    }
    if (failure !== null) throw failure
  },
})
