import { command } from '../../cli/declare.ts'
import { documentOptions, importPath, pathImport } from '../../cli/import/path.ts'

export default command({
  summary: 'Import OpenAPI 3.0, 3.1 and 3.2 documents, JSON or YAML',
  examples: [
    'svc import openapi api.yaml',
    'svc import openapi https://example.com/api.json --publish public --min-grade B',
    'svc import openapi api.yaml --dry-run --report sarif=import.sarif',
  ],
  ...pathImport,
  options: documentOptions,
  run: (invocation) => importPath('openapi', invocation),
})
