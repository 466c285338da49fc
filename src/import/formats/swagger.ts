import { findUnresolved } from '../../document/reference.ts'
import { validateStructure } from '../../document/validate/structure.ts'
import { convertSwagger } from '../convert/swagger.ts'
import { projectName, readInfo } from '../naming.ts'
import { Notes } from '../notes.ts'
import { listOperations } from '../operations.ts'
import { once } from '../once.ts'
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
    // What a rendering does not need is found out only when somebody asks.
    const problems = once(() => validateStructure(document))
    const unresolved = once(() => findUnresolved(document, options.documents))
    const operations = once(() => listOperations(content))
    return {
      format: document.format ?? { kind: 'swagger', version: '2.0' },
      name: projectName(document, content, title, options),
      version: options.version ?? (version || '0.0.0'),
      title,
      description,
      content,
      openapi,
      arazzo: null,
      classes: classesOf(openapi),
      get operations() {
        return operations()
      },
      get problems() {
        return problems()
      },
      get unresolved() {
        return unresolved()
      },
      get warnings() {
        return notes.warnings
      },
    }
  },
}

export default swagger
