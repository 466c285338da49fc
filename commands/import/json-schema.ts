import { ImportJob } from '../../src/api/imports.ts'
import { command } from '../command.ts'
import { importArguments, importOptions, runImport } from '../importing.ts'

export default command({
  summary: 'Import one JSON Schema document, draft-04 to 2020-12',
  examples: [
    'svc import json-schema types.schema.json',
    'svc import json-schema https://example.com/types.json --publish public --min-grade B',
  ],
  arguments: importArguments,
  options: importOptions,
  dataSchema: ImportJob,
  run: (invocation) => runImport('json-schema', invocation),
})
