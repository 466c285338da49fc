import { ImportJob } from '../../src/api/imports.ts'
import { command } from '../command.ts'
import { importArguments, importOptions, runImport } from '../importing.ts'

export default command({
  summary: 'Import one Swagger 2.0 document',
  examples: [
    'svc import swagger api.yaml',
    'svc import swagger https://example.com/api.json --publish public --min-grade B',
  ],
  arguments: importArguments,
  options: importOptions,
  dataSchema: ImportJob,
  run: (invocation) => runImport('swagger', invocation),
})
