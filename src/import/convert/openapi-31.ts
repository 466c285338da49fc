import { isObject, type JsonObject } from '../../kernel/json.ts'
import { openapi31 } from '../../document/validate/openapi-31.ts'
import { edit, rebuild } from '../../document/validate/rebuild.ts'
import type { Notes } from '../notes.ts'
import { mapDiscriminator, referenceOfName } from './discriminator.ts'

/**
 * An OpenAPI 3.1 document in the words that every reader of 3.1 knows: "nullable", which has no meaning there any more and
 * which strict readers refuse, is kept as an extension, and discriminators map to references.
 */
export const tidyOpenapi31 = (content: JsonObject, notes: Notes): JsonObject => {
  const reference = referenceOfName(isObject(content.components) ? content.components.schemas : undefined)
  return rebuild(openapi31, content, (name, node, path) => {
    if (name === 'Discriminator') return mapDiscriminator(node, reference)
    if (name !== 'Schema' || typeof node.nullable !== 'boolean') return node
    notes.add('nullable-ignored', 'OpenAPI 3.1 has no "nullable"; kept it as "x-nullable" without effect.', [
      ...path,
      'nullable',
    ])
    return edit(node, ['nullable'], { 'x-nullable': node.nullable })
  })
}
