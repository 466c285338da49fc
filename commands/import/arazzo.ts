import { command } from '../../cli/declare.ts'
import { versionIdOption } from '../../cli/import/options.ts'
import { documentOptions, importPath, pathImport } from '../../cli/import/path.ts'

export default command({
  summary: 'Import Arazzo 1.0 documents, JSON or YAML',
  examples: [
    'svc import arazzo flows.yaml',
    'svc import arazzo flows.yaml --version-id UUID',
    'svc import arazzo https://example.com/flows.yaml --publish public --min-grade B',
  ],
  ...pathImport,
  options: { ...documentOptions, ...versionIdOption },
  run: (invocation) => importPath('arazzo', invocation),
})
