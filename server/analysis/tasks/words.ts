import { operationText } from '../../../src/spec/words.ts'
import { onlyOne, type Desk } from '../desk.ts'

interface Asked {
  readonly operations: readonly Parameters<typeof operationText>[1][]
  readonly mostCharacters: number
}

/** What operations of a document say, as texts to be embedded. */
export function run({ operations, mostCharacters }: Asked, desk: Desk): string[] {
  const { value } = desk.engine.trusted(onlyOne(desk))
  return operations.map((it) => {
    const { title, body } = operationText(value, it)
    return `${title}\n${body}`.slice(0, mostCharacters).toWellFormed()
  })
}
