/**
 * Large bytes outside of the database. A row keeps the SHA-256 of the bytes as they are stored, and its object is found by it: what a store
 * answers can be checked without asking anyone else.
 */
// In the order of their keys.
export const objectKinds = ['contents', 'renderings', 'uploads'] as const

/** What objects hold, as a part of their keys. */
export type ObjectKind = (typeof objectKinds)[number]

/** An object. Organizations share none, so that nobody learns from a digest what others have. */
export interface ObjectName {
  readonly kind: ObjectKind
  readonly tenantId: string
  /** 64 hex digits: of the bytes as they are stored. */
  readonly sha256: string
}

/** An object as a store lists it. */
export interface ListedObject {
  readonly name: ObjectName
  readonly sizeBytes: number
  readonly modifiedAt: string
}

/** A store of objects. Each function may raise `storage-unavailable`. */
export interface Objects {
  /** Where they are, without credentials. */
  readonly place: string
  /** Writes an object; one that is there already is written again. */
  put(name: ObjectName, bytes: Uint8Array): Promise<void>
  /**
   * The bytes of an object, which have its digest; null where there is none.
   * @param fresh whether copies of this machine are passed over
   * @throws SvcError `document-damaged` where the store answers other bytes
   */
  get(name: ObjectName, fresh?: boolean): Promise<Uint8Array<ArrayBuffer> | null>
  /** How many bytes an object has; null where there is none. */
  sizeOf(name: ObjectName): Promise<number | null>
  /** Removes an object, if it is there. */
  remove(name: ObjectName): Promise<void>
  /** Every object under the prefix, by its key; what svc did not write is passed over. */
  list(): AsyncIterable<ListedObject>
}

/** The hex digits of a digest. */
export const sha256Of = (bytes: Uint8Array): string => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

const partsOf = /^([a-z]+)\/([0-9a-f-]{36})\/([0-9a-f]{64})$/

/** The key of an object below the prefix. */
export const keyOf = ({ kind, tenantId, sha256 }: ObjectName): string => `${kind}/${tenantId}/${sha256}`

/** The object of a key; null where it is none of svc's. */
export function nameOf(key: string): ObjectName | null {
  const [, kind = '', tenantId = '', sha256 = ''] = partsOf.exec(key) ?? []
  const known = objectKinds.find((it) => it === kind)
  return known === undefined ? null : { kind: known, tenantId, sha256 }
}
