/** What the application knows of a stored document by its ETag. */
import { expect, test } from 'bun:test'
import { digestIn } from '../../web/src/call.ts'

test('the digest of a document is the same in whatever coding it was sent', () => {
  const tags = ['"sha256:0a"', '"sha256:0a-zstd"', '"sha256:0a-gzip"', '""']
  expect(tags.map(digestIn)).toEqual(['sha256:0a', 'sha256:0a', 'sha256:0a', ''])
})
