import { command } from '../command.ts'
import { openMcpAccess, toolNamesOf } from '../mcp-access.ts'
import { version } from '../version.gen.ts'

export default command({
  summary: 'Serve published specifications to an agent host over standard input and output',
  description:
    'Speaks the Model Context Protocol, and nothing else, on standard output. Reads the local workspace as its owner, or with SVC_MCP_DATABASE_URL (and SVC_MCP_INTERNAL_SECRET) a shared database as the key of each call allows. Ends with its input.',
  examples: ['svc mcp', 'SVC_MCP_API_KEY=svm_… svc mcp --base-url https://svc.example.com'],
  arguments: [],
  options: {},
  graceful: true,
  async run(invocation) {
    const { env, globals, signal } = invocation
    const names = toolNamesOf(env)
    const [access, { serveMcpStdio }] = await Promise.all([
      openMcpAccess(invocation, 'owner'),
      import('../../mcp/stdio.ts'),
    ])
    try {
      await serveMcpStdio({
        version,
        callFor: access.callFor,
        names,
        key: env.SVC_MCP_API_KEY || globals.apiKey || null,
        input: process.stdin,
        output: process.stdout,
        signal,
        onFault: (fault) => void process.stderr.write(`${fault instanceof Error ? fault.message : String(fault)}\n`),
      })
    } finally {
      await access.close()
    }
  },
})
