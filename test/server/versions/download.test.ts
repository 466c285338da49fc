/** Stored documents as they are sent: in a coding that the reader takes, with an entity tag of its own. */
import { expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, petsBase, petsYaml } from '../../fixtures/pets-project.ts'

onBothEngines('the document of a version', (makeDb) => {
  test('is sent in zstd, in gzip or as it is; each has its own tag, and any of them is known and matches', async () => {
    const it = await openPetsProject(await makeDb())
    const text = petsYaml('1.0.0') + '# a comment\n'.repeat(400)
    await it.send('POST', '', { label: '1.0.0', content: text })
    const ask = (headers: Record<string, string>) =>
      it.service.handle(
        new Request(`http://localhost${petsBase}/1.0.0/document`, { headers: { 'x-api-key': it.key, ...headers } }),
      )
    const plain = await ask({ 'accept-encoding': 'br, zstd;q=0' })
    const etag = plain.headers.get('etag') ?? ''
    expect([plain.headers.get('content-encoding'), plain.headers.get('vary'), await plain.text()]).toEqual([
      null,
      'accept-encoding',
      text,
    ])
    const zstd = await ask({ 'accept-encoding': 'gzip, zstd' })
    const gzip = await ask({ 'accept-encoding': 'gzip' })
    const tags = [zstd, gzip].map((answer) => answer.headers.get('etag'))
    expect([zstd.headers.get('content-encoding'), gzip.headers.get('content-encoding'), ...tags]).toEqual([
      'zstd',
      'gzip',
      etag.replace(/"$/, '-zstd"'),
      etag.replace(/"$/, '-gzip"'),
    ])
    const decoder = new TextDecoder()
    const bytes = await zstd.arrayBuffer()
    expect(bytes.byteLength).toBeLessThan(text.length / 4)
    expect(decoder.decode(await Bun.zstdDecompress(bytes))).toBe(text)
    expect(decoder.decode(gunzipSync(await gzip.arrayBuffer()))).toBe(text)
    for (const tag of [etag, ...tags]) expect((await ask({ 'if-none-match': tag ?? '' })).status).toBe(304)
    const headers = { 'content-type': 'application/yaml', 'if-match': tags[0] ?? '' }
    expect(await it.brief('PUT', '/1.0.0/document', petsYaml('1.0.0'), headers)).toBe('200 draft')
    const small = await ask({ 'accept-encoding': 'zstd' })
    expect([small.headers.get('content-encoding'), await small.text()]).toEqual([null, petsYaml('1.0.0')])
    await it.service.stop()
  })
})
