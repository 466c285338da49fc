import { ImportJob } from '../../src/api/imports.ts'
import { command } from '../command.ts'
import { documentOptions, importDescription, importPath, pathArgument } from '../importing/command.ts'
import { schemaOptions, versionIdOption } from '../importing/options.ts'

export default command({
  summary: 'Import JSON Schema documents, draft-04 to 2020-12, JSON or YAML',
  description: importDescription,
  examples: [
    'svc import json-schema types.schema.json',
    'svc import json-schema address.json --as schema --name Address --version-id UUID',
    'svc import json-schema https://example.com/types.json --publish public --min-grade B',
  ],
  arguments: pathArgument,
  options: { ...documentOptions, ...versionIdOption, ...schemaOptions },
  dataSchema: ImportJob,
  graceful: true,
  run: (invocation) => importPath('json-schema', invocation),
})
