/** What is sent, field by field and parameter by parameter: exactly the consumers that use what changed are named. */
import { api, expectImpacts, list, number, object, reads, ref, sends, text, uses } from './documents.ts'

const json = 'application/json'
const form = (type: string, schema: object) => ({
  operation: { requestBody: { required: true, content: { [type]: { schema } } } },
})
const par = (name: string, place = 'query', schema: object = text, more: object = {}) => ({
  name,
  in: place,
  schema,
  ...more,
})

expectImpacts([
  [
    'a request field that was optional is required: clients that send the body break',
    api(object({ ok: text }), { request: object({ id: text, tax: text }, ['id']) }),
    api(object({ ok: text }), { request: object({ id: text, tax: text }, ['id', 'tax']) }),
    { id: sends('id'), tax: sends('tax'), ok: reads('ok') },
    { id: 'broken', ok: 'broken', tax: 'broken' },
  ],
  [
    'a new field of an optional body is required: who only reads is not hit',
    {
      ...api(object({ ok: text })),
      paths: {
        '/things': {
          post: {
            requestBody: { content: { [json]: { schema: object({ id: text }) } } },
            responses: { 200: { description: 'x', content: { [json]: { schema: object({ ok: text }) } } } },
          },
        },
      },
    },
    {
      ...api(object({ ok: text })),
      paths: {
        '/things': {
          post: {
            requestBody: { content: { [json]: { schema: object({ id: text, more: text }) } } },
            responses: { 200: { description: 'x', content: { [json]: { schema: object({ ok: text }) } } } },
          },
        },
      },
    },
    { id: sends('id'), ok: reads('ok') },
    { id: 'broken' },
  ],
  [
    'the type of a request field is widened',
    api(null, { request: object({ n: { type: 'integer' }, id: text }) }),
    api(null, { request: object({ n: number, id: text }) }),
    { n: sends('n'), id: sends('id') },
    { n: 'touched' },
  ],
  [
    'a request field becomes read-only',
    api(null, { request: object({ a: text, b: text }, []) }),
    api(null, { request: object({ a: { ...text, readOnly: true }, b: text }, []) }),
    { a: sends('a'), b: sends('b') },
    { a: 'broken' },
  ],
  [
    'a part of a multipart body goes',
    api(null, form('multipart/form-data', object({ file: text, note: text }, []))),
    api(null, form('multipart/form-data', object({ file: text }, []))),
    { f: sends('file'), n: sends('note') },
    { n: 'broken' },
  ],
  [
    'a field of a form takes less',
    api(null, form('application/x-www-form-urlencoded', object({ a: text, b: text }))),
    api(null, form('application/x-www-form-urlencoded', object({ a: { type: 'integer' }, b: text }))),
    { a: sends('a'), b: sends('b') },
    { a: 'broken' },
  ],
  [
    'the items of a query parameter take less',
    api(object({ k: text }), { parameters: [par('ids', 'query', list(text)), par('q')] }),
    api(object({ k: text }), { parameters: [par('ids', 'query', list({ type: 'string', enum: ['a'] })), par('q')] }),
    { ids: uses('ids'), q: uses('q'), k: reads('k') },
    { ids: 'broken' },
  ],
  [
    'a query parameter is written in another way',
    api(object({ k: text }), { parameters: [par('ids', 'query', list(text)), par('q')] }),
    api(object({ k: text }), { parameters: [par('ids', 'query', list(text), { explode: false }), par('q')] }),
    { ids: uses('ids'), q: uses('q') },
    { ids: 'broken' },
  ],
  [
    'a header goes',
    api(object({ k: text }), { parameters: [par('X-Trace', 'header'), par('X-Other', 'header')] }),
    api(object({ k: text }), { parameters: [par('X-Other', 'header')] }),
    { t: uses('x-trace'), o: uses('X-Other') },
    { t: 'broken' },
  ],
  [
    'a header is required: everyone is broken',
    api(object({ k: text }), { parameters: [par('X-Trace', 'header')] }),
    api(object({ k: text }), { parameters: [par('X-Trace', 'header', text, { required: true })] }),
    { t: uses('x-trace'), k: reads('k') },
    { k: 'broken', t: 'broken' },
  ],
  [
    'a cookie takes less',
    api(object({ k: text }), { parameters: [par('sid', 'cookie')] }),
    api(object({ k: text }), { parameters: [par('sid', 'cookie', { type: 'string', maxLength: 3 })] }),
    { t: uses('sid'), k: reads('k') },
    { t: 'broken' },
  ],
  [
    'a parameter moves from the query to a header',
    api(object({ k: text }), { parameters: [par('key')] }),
    api(object({ k: text }), { parameters: [par('key', 'header')] }),
    { t: uses('key'), k: reads('k') },
    { t: 'broken' },
  ],
  [
    'an object that is sent is closed',
    api(null, { request: { ...object({ a: text, b: text }, []) } }),
    api(null, { request: { ...object({ a: text, b: text }, []), additionalProperties: false } }),
    { a: sends('a') },
    {},
  ],
  [
    'an optional request field takes less',
    api(null, { request: object({ a: text, b: text }, ['a']) }),
    api(null, { request: object({ a: text, b: { ...text, maxLength: 3 } }, ['a']) }),
    { a: sends('a'), b: sends('b') },
    { b: 'broken' },
  ],
  [
    'a field of an optional object takes less',
    api(null, { request: object({ a: text, o: object({ x: text }) }, ['a']) }),
    api(null, { request: object({ a: text, o: object({ x: number }) }, ['a']) }),
    { a: sends('a'), x: sends('o.x') },
    { x: 'broken' },
  ],
  [
    'a list is asked for in place of an object',
    api(null, { request: object({ a: text }) }),
    api(null, { request: list(object({ a: text })) }),
    { a: sends('a') },
    { a: 'broken' },
  ],
  [
    'a format is promised',
    api(object({ a: text, b: text })),
    api(object({ a: text, b: { ...text, format: 'date' } })),
    { a: reads('a'), b: reads('b') },
    { b: 'touched' },
  ],
  [
    'a body is not taken as JSON any more',
    api(null, {
      operation: {
        requestBody: {
          required: true,
          content: { [json]: { schema: object({ a: text }) }, 'application/xml': { schema: object({ a: text }) } },
        },
      },
    }),
    api(null, {
      operation: { requestBody: { required: true, content: { 'application/xml': { schema: object({ a: text }) } } } },
    }),
    { a: sends('a') },
    { a: 'broken' },
  ],
  [
    'what only readers may miss breaks no sender',
    api(ref('T'), { request: ref('T'), schemas: { T: object({ a: text, b: text }, ['a', 'b']) } }),
    api(ref('T'), { request: ref('T'), schemas: { T: object({ a: text, b: text }, ['a']) } }),
    { s: sends('b') },
    { s: 'touched' },
  ],
  [
    'the items of a list that is sent ask for more',
    api(null, { request: object({ lines: list(object({ a: text }, ['a'])), n: text }, ['n']) }),
    api(null, { request: object({ lines: list(object({ a: text, z: text }, ['a', 'z'])), n: text }, ['n']) }),
    { n: sends('n'), a: sends('lines[].a') },
    { a: 'broken' },
  ],
  [
    'a field within a parameter changes',
    api(object({ k: text }), {
      parameters: [par('f', 'query', object({ a: text, b: text }), { style: 'deepObject' }), par('q')],
    }),
    api(object({ k: text }), {
      parameters: [par('f', 'query', object({ a: text, b: number }), { style: 'deepObject' }), par('q')],
    }),
    { f: uses('f'), fb: uses('f[b]'), q: uses('q'), k: reads('k') },
    { f: 'broken', fb: 'broken' },
  ],
  [
    'a field within a parameter of JSON changes',
    api(object({ k: text }), {
      parameters: [{ name: 'f', in: 'query', content: { [json]: { schema: object({ a: text, b: text }) } } }],
    }),
    api(object({ k: text }), {
      parameters: [{ name: 'f', in: 'query', content: { [json]: { schema: object({ a: text, b: number }) } } }],
    }),
    { f: uses('f'), k: reads('k') },
    { f: 'broken' },
  ],
  [
    'the encoding of one part changes',
    api(null, {
      operation: {
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: object({ file: text, note: text }),
              encoding: { file: { contentType: 'image/png, image/jpeg' } },
            },
          },
        },
      },
    }),
    api(null, {
      operation: {
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: object({ file: text, note: text }),
              encoding: { file: { contentType: 'image/png' } },
            },
          },
        },
      },
    }),
    { file: sends('file'), note: sends('note') },
    { file: 'broken' },
  ],
  [
    'a body is required: everyone is broken',
    api(object({ k: text }), { operation: { requestBody: { content: { [json]: { schema: object({ a: text }) } } } } }),
    api(object({ k: text }), {
      operation: { requestBody: { required: true, content: { [json]: { schema: object({ a: text }) } } } },
    }),
    { a: sends('a'), k: reads('k') },
    { a: 'broken', k: 'broken' },
  ],
])
