import { ImportJob } from '../../src/api/imports.ts'
import { command } from '../command.ts'
import { documentOptions, importDescription, importPath, pathArgument } from '../importing/command.ts'
import { versionIdOption } from '../importing/options.ts'

export default command({
  summary: 'Import Arazzo 1.0 documents, JSON or YAML',
  description: importDescription,
  examples: [
    'svc import arazzo flows.yaml',
    'svc import arazzo flows.yaml --version-id UUID',
    'svc import arazzo https://example.com/flows.yaml --publish public --min-grade B',
  ],
  arguments: pathArgument,
  options: { ...documentOptions, ...versionIdOption },
  dataSchema: ImportJob,
  graceful: true,
  run: (invocation) => importPath('arazzo', invocation),
})
