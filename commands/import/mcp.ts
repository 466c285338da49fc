import { command } from '../../cli/declare.ts'
import { documentOptions, importPath, pathImport } from '../../cli/import/path.ts'

export default command({
  summary: 'Import MCP server descriptors, bundle manifests and lists of tools',
  examples: [
    'svc import mcp api.yaml',
    'svc import mcp https://example.com/api.json --publish public --min-grade B',
    'svc import mcp api.yaml --dry-run --report sarif=import.sarif',
  ],
  ...pathImport,
  options: documentOptions,
  run: (invocation) => importPath('mcp', invocation),
})
