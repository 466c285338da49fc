import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { findUnresolved } from '../../document/reference.ts'
import { parseFragment } from '../../kernel/pointer.ts'
import { edit } from '../../document/validate/rebuild.ts'
import { validateStructure } from '../../document/validate/structure.ts'
import { embedSchema } from '../convert/json-schema.ts'
import { classDocument, projectName, readInfo } from '../naming.ts'
import { Notes } from '../notes.ts'
import { lazily } from '../lazily.ts'
import type { ImportFormat } from '../spec.ts'

// The reusable inputs of the workflows are the named schemas of an Arazzo document.
const readClasses = (content: JsonObject, notes: Notes): Record<string, Json> => {
  const components = isObject(content.components) ? content.components : {}
  const inputs = isObject(components.inputs) ? components.inputs : {}
  return Object.fromEntries(
    Object.entries(inputs).map(([name, schema]): [string, Json] => [
      name,
      isObject(schema)
        ? embedSchema(
            schema,
            (ref) => {
              const path = ref.startsWith('#/components/inputs/') ? parseFragment(ref) : null
              return path === null ? null : ['components', 'schemas', ...path.slice(2)]
            },
            notes,
            '2020-12',
          )
        : schema,
    ]),
  )
}

// A patch says nothing new: what is kept and rendered names the last one (Arazzo 1.1.0, section "Versions").
const latestPatches: Readonly<Record<string, string>> = { '1.0': '1.0.1', '1.1': '1.1.0' }

const arazzo: ImportFormat = {
  id: 'arazzo',
  summary: 'Arazzo 1.0 and 1.1 workflows, JSON or YAML',
  detect: (document) => (document.format?.kind === 'arazzo' ? 1 : 0),
  read: (document, content, options) => {
    const format = document.format ?? { kind: 'arazzo', version: '1.0' }
    const notes = new Notes(document)
    const written = latestPatches[format.version]
    if (written === undefined)
      notes.add('version-unknown', `Unsupported Arazzo version ${format.version}; the document was read as 1.1.`, [
        'arazzo',
      ])
    const { title, version, description } = readInfo(document, content.info)
    const label = options.version ?? (version || '0.0.0')
    const name = projectName(document, content, title, options)
    const classes = readClasses(content, notes)
    const ready = {
      format,
      name,
      version: label,
      title,
      description,
      content,
      openapi: classDocument(title || name, label, description, classes),
      arazzo: { arazzo: written ?? '1.1.0', ...edit(content, ['arazzo']) },
      classes,
      operations: [],
    }
    return lazily(ready, {
      problems: () => validateStructure(document),
      unresolved: () => findUnresolved(document, options.documents),
      warnings: () => notes.warnings,
    })
  },
}

export default arazzo
