import { command } from '../../cli/declare.ts'
import { openMcpAccess, toolNamesOf } from '../../cli/mcp/access.ts'
import { version } from '../../cli/version.gen.ts'

export default command({
  summary: 'Serve published specifications to agents over HTTP, without the REST API',
  description:
    'Streamable HTTP at /mcp; /health is the health check. "svc serve" also serves this endpoint. Callers without a key see only public specifications.',
  examples: ['svc mcp serve', 'svc mcp serve --port 0'],
  arguments: [],
  options: {
    host: {
      type: 'string',
      placeholder: 'HOST',
      env: 'SVC_MCP_HTTP_HOST',
      default: '127.0.0.1',
      summary: 'address to listen on',
    },
    port: {
      type: 'integer',
      env: 'SVC_MCP_HTTP_PORT',
      min: 0,
      max: 65_535,
      default: 8765,
      summary: 'port; 0 chooses a free one',
    },
    'allowed-host': {
      type: 'string',
      placeholder: 'NAME',
      multiple: true,
      summary: 'another host name that agents may use, besides loopback',
    },
  },
  graceful: true,
  async run(invocation) {
    const { options, env, io, signal } = invocation
    const toolNames = toolNamesOf(env)
    const [access, { createAgents, listenForAgents }] = await Promise.all([
      openMcpAccess(invocation, 'anonymous'),
      import('../../server/agents.ts'),
    ])
    try {
      const agents = createAgents({
        service: { callWith: access.callFor },
        version,
        toolNames,
        secret: env.SVC_MCP_INTERNAL_SECRET || null,
        hosts: [options.host, ...options['allowed-host']],
        observe: (_, run) => run(),
        onFault: (fault) => io.log.error(fault instanceof Error ? fault.message : String(fault)),
      })
      const listener = listenForAgents(agents, version, options.host, options.port)
      await io.stdout(`Agents connect to ${listener.url}/mcp\n`)
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      await listener.stop()
      await agents.close()
    } finally {
      await access.close()
    }
  },
})
