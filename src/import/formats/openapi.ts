import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { findUnresolved } from '../../document/reference.ts'
import { edit } from '../../document/validate/rebuild.ts'
import { validateStructure } from '../../document/validate/structure.ts'
import { upgradeOpenapi30 } from '../convert/openapi-30.ts'
import { tidyOpenapi31 } from '../convert/openapi-31.ts'
import { downgradeOpenapi32 } from '../convert/openapi-32.ts'
import { projectName, readInfo } from '../naming.ts'
import { Notes } from '../notes.ts'
import { listOperations } from '../operations.ts'
import { lazily } from '../lazily.ts'
import type { ImportFormat } from '../spec.ts'

const convert = (version: string, content: JsonObject, notes: Notes): JsonObject => {
  if (version === '3.0') return upgradeOpenapi30(content, notes)
  if (version === '3.2') return tidyOpenapi31(downgradeOpenapi32(content, notes), notes)
  if (version !== '3.1')
    notes.add('version-unknown', `Unsupported OpenAPI version ${version}; the document was read as 3.1.`, ['openapi'])
  return { openapi: '3.1.0', ...edit(tidyOpenapi31(content, notes), ['openapi']) }
}

/** The classes of an OpenAPI 3.1 document: its component schemas. */
export const classesOf = (openapi: JsonObject): Readonly<Record<string, Json>> => {
  const components = isObject(openapi.components) ? openapi.components : {}
  return isObject(components.schemas) ? components.schemas : {}
}

const openapi: ImportFormat = {
  id: 'openapi',
  summary: 'OpenAPI 3.0, 3.1 and 3.2 documents, JSON or YAML',
  detect: (document) => (document.format?.kind === 'openapi' ? 1 : 0),
  read: (document, content, options) => {
    const format = document.format ?? { kind: 'openapi', version: '3.1' }
    const notes = new Notes(document)
    const { title, version, description } = readInfo(document, content.info)
    const made = lazily(
      {},
      { structure: () => validateStructure(document), openapi: () => convert(format.version, content, notes) },
    )
    const ready = {
      format,
      name: projectName(document, content, title, options),
      version: options.version ?? (version || '0.0.0'),
      title,
      description,
      content,
      arazzo: null,
    }
    return lazily(ready, {
      openapi: () => made.openapi,
      classes: () => classesOf(made.openapi),
      operations: () => listOperations(content),
      problems: () => made.structure.filter(({ severity }) => severity === 'error'),
      unresolved: () => findUnresolved(document, options.documents),
      warnings: () => {
        // Converting takes notes.
        void made.openapi
        return [...notes.warnings, ...made.structure.filter(({ severity }) => severity === 'warning')]
      },
    })
  },
}

export default openapi
