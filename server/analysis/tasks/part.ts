import { parsePointer } from '../../../src/kernel/pointer.ts'
import { definitionAt, gatherPart, operationAt, type Part } from '../../../src/spec/part.ts'
import { onlyOne, type Desk } from '../desk.ts'

/** Which part: an operation by its pointer, or a schema by its name. */
interface Asked {
  readonly operation: string | null
  readonly schema: string | null
  readonly limitBytes: number
}

/** A part of a document with what it refers to; null where it is not there. */
export function run({ operation, schema, limitBytes }: Asked, desk: Desk): Part | null {
  const { value: document } = desk.engine.trusted(onlyOne(desk))
  if (operation !== null) {
    const path = parsePointer(operation)
    const value = path ? operationAt(document, path) : null
    return value ? gatherPart(document, operation, value, limitBytes) : null
  }
  const definition = definitionAt(document, schema ?? '')
  return definition ? gatherPart(document, definition.pointer, definition.value, limitBytes) : null
}
