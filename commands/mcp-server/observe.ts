import { command } from '../../cli/declare.ts'
import { observing, runObserve } from '../../cli/mcp-server/observe.ts'

export default command({
  summary: 'Observe what an MCP server offers: by the service, or by starting it on this machine',
  examples: [
    'svc mcp-server observe https://mcp.example.com/mcp',
    'svc mcp-server observe com.example/files -- npx -y @example/files-mcp@1.4.0 /tmp',
    'svc mcp-server observe com.example/files --yes --env API_KEY -- docker run -i --rm example/files',
    'svc mcp-server observe com.example/files --local --yes -- node dist/server.js',
    'svc mcp-server observe --yes -- node dist/server.js',
  ],
  ...observing,
  run: (invocation) => runObserve(invocation),
})
