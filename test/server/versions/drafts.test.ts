import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../../fixtures/pets-project.ts'

onBothEngines('drafts', (makeDb) => {
  let it: PetsProject
  beforeAll(async () => {
    it = await openPetsProject(await makeDb())
  })
  afterAll(() => it.service.stop())
  const yaml = { 'content-type': 'application/yaml' }

  test('made from nothing, from a text, from raw bytes, from a form, from another version', async () => {
    const empty = await it.send('POST', '', { label: '0.1.0' })
    expect([empty.status, empty.value['label'], empty.value['status'], empty.value['visibility']]).toEqual([
      201,
      '0.1.0',
      'draft',
      'private',
    ])
    expect((await it.send('GET', '/0.1.0/document')).value).toEqual({
      openapi: '3.1.0',
      info: { title: 'Pets', version: '0.1.0' },
      paths: {},
    })
    expect((await it.send('POST', '', { content: petsYaml('0.2.0') })).value['label']).toBe('0.2.0')
    expect((await it.send('POST', '?label=0.3.0', petsYaml('9.9.9'), yaml)).value['label']).toBe('0.3.0')
    const form = new FormData()
    form.set('document', new File([petsYaml('0.4.0')], 'pets.yaml'))
    const formed = await it.send('POST', '', form)
    expect([formed.value['label'], (formed.value['provenance'] as { source: string }).source]).toEqual([
      '0.4.0',
      'pets.yaml',
    ])
    await it.send('POST', '', { label: '0.5.0', from: '0.4.0', visibility: 'public' })
    expect((await it.send('GET', '/0.5.0/document')).text).toBe(petsYaml('0.4.0'))
  })

  test('what cannot become a draft is refused by name', async () => {
    expect(await it.brief('POST', '', {})).toBe('400 usage')
    expect(await it.brief('POST', '', { label: 'x', from: '0.4.0', content: '{}' })).toBe('400 usage')
    expect(await it.brief('POST', '', { label: '0.1.0' })).toBe('409 version-exists')
    expect(await it.brief('POST', '', { label: 'Latest' })).toBe('400 version-label-invalid')
    expect(await it.brief('POST', '', { label: 'a/b' })).toBe('400 version-label-invalid')
    expect(await it.brief('POST', '', { label: '1', from: 'nothing' })).toBe('404 version-not-found')
    expect(await it.brief('POST', '', { label: '1', content: '{"openapi": "3.1.0",' })).toBe('422 document-invalid')
    expect(await it.brief('POST', '', { label: '1', content: 'just: words' })).toBe('422 format-unknown')
    expect(await it.brief('POST', '?label=1', new Uint8Array([0xff, 0xfe, 0x41]), yaml)).toBe('422 document-invalid')
    expect(await it.brief('POST', '?label=1', 'x', { 'content-type': 'image/png' })).toBe('415 media-type-unsupported')
    const broken = { 'content-type': 'multipart/form-data; boundary=x' }
    expect(await it.brief('POST', '', 'no form at all', broken)).toBe('400 request-malformed')
    expect(await it.brief('POST', '', new FormData())).toBe('400 request-malformed')
    expect(await it.brief('POST', '', { label: '1', unknown: true })).toBe('422')
    expect(await it.brief('POST', '/v1/tenants/local/projects/none/versions', { label: '1' })).toBe(
      '404 project-not-found',
    )
  })

  test('a document is replaced only with the ETag of the current one', async () => {
    await it.send('POST', '', { label: '1.0.0', content: petsYaml('1.0.0') })
    const first = await it.send('GET', '/1.0.0/document')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"sha256:[0-9a-f]{64}"$/)
    const head = await it.send('HEAD', '/1.0.0/document')
    expect([head.status, head.headers.get('etag'), head.text]).toEqual([200, etag, ''])
    const known = await it.send('GET', '/1.0.0/document', undefined, { 'if-none-match': `"other", W/${etag}` })
    expect([known.status, known.text]).toEqual([304, ''])
    const next = petsYaml('1.0.0', '{ /pets: {} }')
    expect(await it.brief('PUT', '/1.0.0/document', next, yaml)).toBe('428 precondition-required')
    expect(await it.brief('PUT', '/1.0.0/document', next, { ...yaml, 'if-match': '"sha256:0"' })).toBe(
      '412 document-changed',
    )
    expect(await it.brief('PUT', '/1.0.0/document', next, { ...yaml, 'if-match': `W/${etag}` })).toBe(
      '412 document-changed',
    )
    const written = await it.send('PUT', '/1.0.0/document', next, { ...yaml, 'if-match': etag })
    expect([written.status, written.value['status'], written.headers.get('etag') === etag]).toEqual([
      200,
      'draft',
      false,
    ])
    expect((await it.send('GET', '/1.0.0/document')).text).toBe(next)
    // The second of two writers who read the same document learns of the first.
    expect(await it.brief('PUT', '/1.0.0/document', petsYaml('1.0.0'), { ...yaml, 'if-match': etag })).toBe(
      '412 document-changed',
    )
    const json = '{ "openapi": "3.1.0", "info": { "title": "Pets", "version": "1" },  "paths": {} }'
    const now = written.headers.get('etag') ?? ''
    expect(
      await it.brief('PUT', '/1.0.0/document', json, { 'content-type': 'application/json', 'if-match': now }),
    ).toBe('200 draft')
    const read = await it.send('GET', '/1.0.0/document')
    expect([read.text, read.headers.get('content-type')]).toEqual([json, 'application/json'])
    const form = new FormData()
    form.set('file', new File([petsYaml('1.0.0')], 'again.yaml'))
    expect(await it.brief('PUT', '/1.0.0/document', form, { 'if-match': '*' })).toBe('200 draft')
    expect((await it.send('GET', '/1.0.0/document')).text).toBe(petsYaml('1.0.0'))
    expect(await it.brief('PUT', '/1.0.0/document', 'a: [', { ...yaml, 'if-match': '*' })).toBe('422 document-invalid')
  })

  test('of two writers at once one wins and the other learns of it', async () => {
    await it.send('POST', '', { label: '1.1.0', content: petsYaml('1.1.0') })
    const etag = (await it.send('GET', '/1.1.0/document')).headers.get('etag') ?? ''
    const write = (n: number) =>
      it.brief('PUT', '/1.1.0/document', petsYaml('1.1.0', `{ /p${n}: {} }`), { ...yaml, 'if-match': etag })
    expect((await Promise.all([1, 2, 3, 4].map(write))).toSorted()).toEqual([
      '200 draft',
      '412 document-changed',
      '412 document-changed',
      '412 document-changed',
    ])
  })

  test('a draft may be wrong, and says so only where it is to be published', async () => {
    const content = JSON.stringify({ openapi: '3.1.0', info: { title: 'Pets' }, paths: {} })
    expect((await it.send('POST', '', { label: '1.2.0', content })).status).toBe(201)
    const { value } = await it.send('GET', '/1.2.0/publish-readiness')
    expect(value['ready']).toBe(false)
    expect((value['gates'] as { id: string; status: string }[])[0]).toMatchObject({
      id: 'document-valid',
      status: 'fail',
    })
    expect(await it.brief('POST', '/1.2.0/publish')).toBe('409 publish-gates-failed')
    expect(await it.brief('POST', '/1.2.0/publish', { force: true, force_reason: 'now' })).toBe(
      '409 publish-gates-failed',
    )
  })

  test('too large a body is refused by name, whether it says so or not', async () => {
    const headers = { ...yaml, 'if-match': '*', 'content-length': String(65 * 1024 * 1024) }
    const refused = await it.send('PUT', '/1.0.0/document', 'x', headers)
    expect([refused.status, refused.value.detail]).toMatchObject([
      413,
      { code: 'body-too-large', limit_bytes: 64 * 1024 * 1024 },
    ])
    const patch = await it.send('PATCH', '/1.0.0', { label: 'x'.repeat(13 * 1024 * 1024) })
    expect([patch.status, patch.value.detail]).toMatchObject([
      413,
      { code: 'body-too-large', limit_bytes: 2 * 1024 * 1024 },
    ])
  })

  test('renamed while it is a draft; shown or hidden at any time, at once', async () => {
    await it.send('POST', '', { label: '2.0.0-rc.1', content: petsYaml('2.0.0') })
    expect(await it.brief('PATCH', '/2.0.0-rc.1', { label: '1.0.0' })).toBe('409 version-exists')
    expect(await it.brief('PATCH', '/2.0.0-rc.1', { label: 'latest' })).toBe('400 version-label-invalid')
    expect(await it.brief('PATCH', '/2.0.0-rc.1', { label: '2.0.0', slug: '2.0.0' })).toBe('200 draft')
    expect(await it.brief('GET', '/2.0.0-rc.1')).toBe('404 version-not-found')
    expect(await it.brief('POST', '/2.0.0/publish', { visibility: 'public' })).toBe('200')
    const read = async () => (await it.get('/v1/schema/local/pets/2.0.0')).status
    expect(await read()).toBe(200)
    expect(await it.brief('PATCH', '/2.0.0', { visibility: 'private' })).toBe('200 published')
    expect(await read()).toBe(401)
    expect(await it.brief('PATCH', '/2.0.0', { visibility: 'public' })).toBe('200 published')
    expect(await read()).toBe(200)
    expect(await it.brief('PATCH', '/2.0.0', { label: '2.0.1' })).toBe('409 version-published')
    expect(await it.brief('PUT', '/2.0.0/document', petsYaml('2'), { ...yaml, 'if-match': '*' })).toBe(
      '409 version-published',
    )
    expect(await it.brief('PUT', '/2.0.0/document', petsYaml('2'), yaml)).toBe('409 version-published')
    expect(it.faults).toEqual([])
  })
})
