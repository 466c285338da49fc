/** Reads the parts of the documentation from the service, each once. */
import type { OperationPart, ReaderIndex, SchemaPart, WordsPart } from '../../src/api/reader.ts'
import { readRefusal } from './refusal.ts'

/** A refusal of the service, or that it cannot be reached, in the words of people. */
export class PartFailure extends Error {
  readonly hint: string
  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}

export interface Parts {
  readonly index: ReaderIndex
  read<T>(name: string): Promise<T>
}

/** @throws PartFailure */
const readPart = async <T>(address: string, key: string | null): Promise<T> => {
  const headers = { accept: 'application/json', ...(key === null ? {} : { 'x-api-key': key }) }
  const answer = await fetch(address, { headers, referrerPolicy: 'no-referrer' }).catch(() => null)
  if (answer === null) throw new PartFailure('The service cannot be reached.', 'Check the connection, then try again.')
  if (!answer.ok) {
    const { message, hint } = await readRefusal(answer)
    throw new PartFailure(message, hint)
  }
  return (await answer.json()) as T
}

/**
 * Opens the documentation at an address.
 * @param key sent with every request; null without
 * @throws PartFailure
 */
export const openParts = async (address: string, key: string | null): Promise<Parts> => {
  const index = await readPart<ReaderIndex>(`${address}/index`, key)
  const known = new Map<string, Promise<unknown>>()
  const of = `?of=${encodeURIComponent(index.stamp)}`
  return {
    index,
    read<T>(name: string): Promise<T> {
      const before = known.get(name)
      if (before !== undefined) return before as Promise<T>
      const reading = readPart<T>(`${address}/${name}${of}`, key).then((part) => {
        const { stamp } = part as { stamp?: string }
        if (stamp !== undefined && stamp !== index.stamp)
          throw new PartFailure('The document has changed since this page was opened.', 'Reload the page.')
        return part
      })
      known.set(name, reading)
      reading.catch(() => known.delete(name))
      return reading
    },
  }
}

export const operationPart = (parts: Parts, index: number): Promise<OperationPart> => parts.read(`operation-${index}`)
export const schemaPart = (parts: Parts, index: number): Promise<SchemaPart> => parts.read(`schema-${index}`)

/** The words of a shard; none where nothing begins so. */
export const wordsPart = async (parts: Parts, name: string): Promise<WordsPart> =>
  parts.read<WordsPart>(name).catch((error: unknown) => {
    if (error instanceof PartFailure) return {}
    throw error
  })
