import { ImportJob } from '../../src/api/imports.ts'
import { command } from '../command.ts'
import { importArguments, importOptions, runImport } from '../importing.ts'

export default command({
  summary: 'Import one OpenAPI 3.0, 3.1 or 3.2 document',
  examples: [
    'svc import openapi api.yaml',
    'svc import openapi https://example.com/api.json --publish public --min-grade B',
  ],
  arguments: importArguments,
  options: importOptions,
  dataSchema: ImportJob,
  run: (invocation) => runImport('openapi', invocation),
})
