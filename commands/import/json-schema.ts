import { command } from '../../cli/declare.ts'
import { linkOption, schemaOptions, versionIdOption } from '../../cli/import/options.ts'
import { documentOptions, importAndLink, pathImport } from '../../cli/import/path.ts'

export default command({
  summary: 'Import JSON Schema documents, draft-04 to 2020-12, JSON or YAML',
  examples: [
    'svc import json-schema types.schema.json',
    'svc import json-schema address.json --as schema --name Address --version-id UUID',
    'svc import json-schema https://example.com/types.json --publish public --min-grade B',
  ],
  ...pathImport,
  options: { ...documentOptions, ...versionIdOption, ...schemaOptions, ...linkOption },
  run: (invocation) => importAndLink('json-schema', invocation),
})
