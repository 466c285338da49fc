import { command } from '../../cli/declare.ts'
import { documentOptions, importPath, pathImport } from '../../cli/import/path.ts'

export default command({
  summary: 'Import Swagger 2.0 documents, JSON or YAML',
  examples: [
    'svc import swagger api.yaml',
    'svc import swagger https://example.com/api.json --publish public --min-grade B',
    'svc import swagger api.yaml --dry-run --report sarif=import.sarif',
  ],
  ...pathImport,
  options: documentOptions,
  run: (invocation) => importPath('swagger', invocation),
})
