import { ImportJob } from '../../src/api/imports.ts'
import { command } from '../command.ts'
import { documentOptions, importDescription, importPath, pathArgument } from '../importing/command.ts'
import { bulkOptions, schemaOptions, versionIdOption } from '../importing/options.ts'

export default command({
  summary: 'Import documents of any known format, which is found out',
  description: importDescription,
  examples: [
    'svc import auto api.yaml',
    'svc import auto specs.zip --bulk --override payments/api.yaml=existing@2.1.0',
    'svc import auto https://example.com/api.json --publish public --min-grade B',
  ],
  arguments: pathArgument,
  options: { ...documentOptions, ...versionIdOption, ...schemaOptions, ...bulkOptions },
  dataSchema: ImportJob,
  graceful: true,
  run: (invocation) => importPath('auto', invocation),
})
