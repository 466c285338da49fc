/** Atoms of request bodies of OpenAPI 3. */
import type { JsonObject } from '../case.ts'
import { breaksRequest, isPolicy, isSafe, three, type Templates } from './message-atom.ts'
import { form, formHeaders, jsonBody, list, post, withBody } from './pieces.ts'

export const requestBodyAtoms: Templates = {
  'body-became-required': {
    field: 'required',
    versions: three,
    make: (version) =>
      breaksRequest(
        [withBody(version, jsonBody({ type: 'object' }, false)), withBody(version, jsonBody({ type: 'object' }))],
        post,
      ),
  },
  'body-became-optional': {
    field: 'required',
    versions: three,
    make: (version) =>
      isSafe(
        'request',
        [withBody(version, jsonBody({ type: 'object' })), withBody(version, jsonBody({ type: 'object' }, false))],
        'A request with a body is still described; only leaving it out is new (Request Body Object, required).',
      ),
  },
  'body-required-added': {
    field: 'requestBody',
    versions: three,
    make: (version) => breaksRequest([withBody(version, null), withBody(version, jsonBody({ type: 'object' }))], post),
  },
  'body-optional-added': {
    field: 'requestBody',
    versions: three,
    make: (version) =>
      isSafe(
        'request',
        [withBody(version, null), withBody(version, jsonBody({ type: 'object' }, false))],
        'A body that is not required may be left out (Request Body Object, required).',
      ),
  },
  'body-removed': {
    field: 'requestBody',
    versions: three,
    make: (version) =>
      isPolicy(
        'request',
        [withBody(version, jsonBody({ type: 'object' }, false)), withBody(version, null)],
        'Does it break a client when the service no longer reads the body that it sends?',
        'The specification does not say what a service does with a body that is not described.',
      ),
  },
  'request-media-type-removed': {
    field: 'content',
    versions: three,
    make: (version, random) => {
      const lost = random.pick(['text/plain', 'text/csv'])
      const both = {
        required: true,
        content: { 'application/json': { schema: { type: 'string' } }, [lost]: { schema: { type: 'string' } } },
      }
      return breaksRequest([withBody(version, both), withBody(version, jsonBody({ type: 'string' }))], {
        ...post,
        headers: { 'content-type': lost },
        body: 'x',
      })
    },
  },
  'request-media-type-added': {
    field: 'content',
    versions: three,
    make: (version, random) => {
      const added = random.pick(['text/plain', 'text/csv'])
      const both = {
        required: true,
        content: { 'application/json': { schema: { type: 'string' } }, [added]: { schema: { type: 'string' } } },
      }
      return isSafe(
        'request',
        [withBody(version, jsonBody({ type: 'string' })), withBody(version, both)],
        'Bodies of the type that was there are described as before (Request Body Object, content).',
      )
    },
  },
  'request-media-range-widened': {
    field: 'content',
    versions: three,
    make: (version) => {
      const with_ = (range: string) =>
        withBody(version, { required: true, content: { [range]: { schema: { type: 'string' } } } })
      return isSafe(
        'request',
        [with_('text/plain'), with_('text/*')],
        'The range includes the type (Request Body Object, content).',
      )
    },
  },
  'request-media-range-narrowed': {
    field: 'content',
    versions: three,
    make: (version) => {
      const with_ = (range: string) =>
        withBody(version, { required: true, content: { [range]: { schema: { type: 'string' } } } })
      return breaksRequest([with_('text/*'), with_('text/plain')], {
        ...post,
        headers: { 'content-type': 'text/csv' },
        body: 'x',
      })
    },
  },
  'form-field-narrowed': {
    field: 'content',
    versions: three,
    make: (version, random) => {
      const [name = ''] = random.names(1)
      const bound = random.int(5, 50)
      const with_ = (maximum: number) =>
        withBody(version, form({ type: 'object', properties: { [name]: { type: 'integer', maximum } } }))
      return breaksRequest([with_(bound), with_(bound - 1)], {
        ...post,
        headers: formHeaders,
        body: `${name}=${bound}`,
      })
    },
  },
  'form-field-integer-to-string': {
    field: 'content',
    versions: three,
    make: (version, random) => {
      const [name = ''] = random.names(1)
      const with_ = (type: string) => withBody(version, form({ type: 'object', properties: { [name]: { type } } }))
      return isSafe(
        'request',
        [with_('integer'), with_('string')],
        'A field of a form is text, and the text of every integer is a string (Media Type Object, form bodies).',
      )
    },
  },
  'form-field-required-added': {
    field: 'content',
    versions: three,
    make: (version, random) => {
      const [name = '', other = ''] = random.names(2)
      const properties = { [name]: { type: 'string' }, [other]: { type: 'string' } }
      return breaksRequest(
        [
          withBody(version, form({ type: 'object', properties })),
          withBody(version, form({ type: 'object', properties, required: [other] })),
        ],
        { ...post, headers: formHeaders, body: `${name}=x` },
      )
    },
  },
  'encoding-explode-removed': {
    field: 'encoding',
    versions: three,
    make: (version) => {
      const schema = { type: 'object', properties: { ids: list } }
      const with_ = (explode: boolean) => withBody(version, form(schema, { ids: { style: 'form', explode } }))
      return breaksRequest([with_(true), with_(false)], { ...post, headers: formHeaders, body: 'ids=1&ids=2' })
    },
  },
  'encoding-default-written': {
    field: 'encoding',
    versions: three,
    make: (version) => {
      const schema = { type: 'object', properties: { ids: list } }
      return isSafe(
        'request',
        [withBody(version, form(schema)), withBody(version, form(schema, { ids: { style: 'form', explode: true } }))],
        'The written values are the ones that hold without them (Encoding Object, style and explode).',
      )
    },
  },
  'multipart-part-required-added': {
    field: 'content',
    versions: three,
    make: (version, random) => {
      const [name = '', other = ''] = random.names(2)
      const properties = { [name]: { type: 'string' }, [other]: { type: 'string' } }
      const with_ = (required: string[]) =>
        withBody(version, {
          required: true,
          content: { 'multipart/form-data': { schema: { type: 'object', properties, required } } },
        })
      return breaksRequest([with_([name]), with_([name, other])], {
        ...post,
        headers: { 'content-type': 'multipart/form-data' },
        body: { [name]: 'x' },
      })
    },
  },
  'encoding-content-type-changed': {
    field: 'encoding',
    versions: three,
    make: (version) => {
      const with_ = (contentType: string) =>
        withBody(version, {
          required: true,
          content: {
            'multipart/form-data': {
              schema: { type: 'object', properties: { file: { type: 'string' } } },
              encoding: { file: { contentType } },
            },
          },
        })
      return isPolicy(
        'request',
        [with_('image/png'), with_('image/jpeg')],
        'Does a service refuse a part whose content type it does not list?',
        'The field says what a client sends in the part; whether a service looks at it is left to it (Encoding Object, contentType).',
      )
    },
  },
  'read-only-required': {
    field: 'readOnly',
    versions: ['3.0'],
    make: (version) => {
      const with_ = (required: string[]) =>
        withBody(
          version,
          jsonBody({
            type: 'object',
            required,
            properties: { name: { type: 'string' }, id: { type: 'string', readOnly: true } },
          }),
        )
      return isSafe(
        'request',
        [with_(['name']), with_(['name', 'id'])],
        'A read-only property in the required list is required of responses only (3.0.3, Schema Object, readOnly).',
      )
    },
  },
  'read-only-added': {
    field: 'readOnly',
    versions: three,
    make: (version) => {
      const with_ = (more: JsonObject) =>
        withBody(version, jsonBody({ type: 'object', properties: { id: { type: 'string', ...more } } }))
      return isPolicy(
        'request',
        [with_({}), with_({ readOnly: true })],
        'Does it break a client when a property that it sends is no longer meant to be sent?',
        'A read-only property should not be sent; whether a service refuses or ignores it is left to it (Schema Object, readOnly).',
      )
    },
  },
}
