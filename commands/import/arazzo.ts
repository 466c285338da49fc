import { ImportJob } from '../../src/api/imports.ts'
import { command } from '../command.ts'
import { importArguments, importOptions, runImport } from '../importing.ts'

export default command({
  summary: 'Import one Arazzo 1.0 document',
  examples: [
    'svc import arazzo api.yaml',
    'svc import arazzo https://example.com/api.json --publish public --min-grade B',
  ],
  arguments: importArguments,
  options: importOptions,
  dataSchema: ImportJob,
  run: (invocation) => runImport('arazzo', invocation),
})
