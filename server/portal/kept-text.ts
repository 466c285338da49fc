import { digestOf } from '../../db/content.ts'
import { etagOf, isKnown, Reply } from '../http/door.ts'

/** A text that everybody may keep for a while. */
export function keptText(
  text: string,
  type: string,
  { ifNoneMatch, seconds }: { readonly ifNoneMatch: string | null; readonly seconds: number },
): Reply {
  const etag = etagOf(digestOf(new TextEncoder().encode(text)))
  const headers = {
    etag,
    'content-type': type,
    'cache-control': `public, max-age=${seconds}`,
    'access-control-allow-origin': '*',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  }
  return isKnown(ifNoneMatch, etag)
    ? new Reply({ status: 304, headers, body: null })
    : new Reply({ headers, body: text })
}
