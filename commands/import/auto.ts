import { command } from '../../cli/declare.ts'
import { bulkOptions, linkOption, schemaOptions, versionIdOption } from '../../cli/import/options.ts'
import { documentOptions, importAndLink, pathImport } from '../../cli/import/path.ts'

export default command({
  summary: 'Import documents and detect their format',
  examples: [
    'svc import auto api.yaml',
    'svc import auto specs.zip --bulk --override payments/api.yaml=existing@2.1.0',
    'svc import auto https://example.com/api.json --publish public --min-grade B',
  ],
  ...pathImport,
  options: { ...documentOptions, ...versionIdOption, ...schemaOptions, ...linkOption, ...bulkOptions },
  run: (invocation) => importAndLink('auto', invocation),
})
