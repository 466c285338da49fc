import type { VersionRow } from '../records/door.ts'

/** What a version holds: the digest of its document, and of those that joined it. An approval is of exactly that. */
export function contentDigestOf({ digest, joined }: Pick<VersionRow, 'digest' | 'joined'>): string {
  if (joined === null || joined.length === 0) return digest
  const others = joined.map(({ kind, name, provenance }) => [kind, name, provenance.digest])
  return `${digest}+${new Bun.CryptoHasher('sha256').update(JSON.stringify(others)).digest('hex')}`
}

/** The part that says what joined it; "" where nothing did. */
export const joinedPart = (contentDigest: string): string => {
  const at = contentDigest.indexOf('+')
  return at < 0 ? '' : contentDigest.slice(at)
}
