import { command } from '../../cli/declare.ts'
import { observing, runObserve } from '../../cli/mcp-server/observe.ts'

export default command({
  summary: 'Observe what another MCP server offers: the same as "svc mcp-server observe"',
  examples: [
    'svc mcp observe --endpoint com.example/files -- npx -y @example/files-mcp@1.4.0 /tmp',
    'svc mcp observe --endpoint com.example/files --local --yes -- node dist/server.js',
  ],
  ...observing,
  run: (invocation) => runObserve(invocation),
})
