import { findUnresolved } from '../../document/reference.ts'
import { validateStructure } from '../../document/validate/structure.ts'
import { missingScopesCode } from '../../document/validate/swagger.ts'
import { convertSwagger } from '../convert/swagger.ts'
import { projectName, readInfo } from '../naming.ts'
import { Notes } from '../notes.ts'
import { listOperations } from '../operations.ts'
import { lazily } from '../lazily.ts'
import type { ImportFormat } from '../spec.ts'
import { classesOf } from './openapi.ts'

const swagger: ImportFormat = {
  id: 'swagger',
  summary: 'Swagger 2.0 documents, JSON or YAML',
  detect: (document) => (document.format?.kind === 'swagger' ? 1 : 0),
  read: (document, content, options) => {
    const notes = new Notes(document)
    const openapi = convertSwagger(content, notes)
    const { title, version, description } = readInfo(document, content.info)
    const ready = {
      format: document.format ?? { kind: 'swagger', version: '2.0' },
      name: projectName(document, content, title, options),
      version: options.version ?? (version || '0.0.0'),
      title,
      description,
      content,
      openapi,
      arazzo: null,
      classes: classesOf(openapi),
    }
    const judged = lazily({}, { structure: () => validateStructure(document) })
    return lazily(ready, {
      operations: () => listOperations(content),
      problems: () => judged.structure.filter(({ code }) => code !== missingScopesCode),
      unresolved: () => findUnresolved(document, options.documents),
      warnings: () => [...notes.warnings, ...judged.structure.filter(({ code }) => code === missingScopesCode)],
    })
  },
}

export default swagger
