import { ImportJob } from '../../src/api/imports.ts'
import { command } from '../command.ts'
import { importArguments, importOptions, runImport } from '../importing.ts'

export default command({
  summary: 'Import one MCP manifest: a tools/list answer or a server.json',
  examples: [
    'svc import mcp tools.json',
    'svc import mcp https://example.com/server.json --publish public --min-grade B',
  ],
  arguments: importArguments,
  options: importOptions,
  dataSchema: ImportJob,
  run: (invocation) => runImport('mcp', invocation),
})
