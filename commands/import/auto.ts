import { ImportJob } from '../../src/api/imports.ts'
import { command } from '../command.ts'
import { importArguments, importOptions, runImport } from '../importing.ts'

export default command({
  summary: 'Import a document of any known format',
  examples: ['svc import auto api.yaml', 'svc import auto https://example.com/api.json --publish public --min-grade B'],
  arguments: importArguments,
  options: importOptions,
  dataSchema: ImportJob,
  run: (invocation) => runImport('auto', invocation),
})
