/** Atoms of responses of OpenAPI 3. */
import type { JsonObject } from '../case.ts'
import { documentOf } from './documents.ts'
import { breaksResponse, isPolicy, isSafe, three, type Templates } from './message-atom.ts'
import { answering, found, get, jsonContent, withHeaders } from './pieces.ts'

export const responseAtoms: Templates = {
  'header-became-optional': {
    field: 'headers',
    versions: three,
    make: (version) => {
      const with_ = (required: boolean) =>
        withHeaders(version, { 'X-Total': { required, schema: { type: 'integer' } } })
      return breaksResponse([with_(true), with_(false)], found)
    },
  },
  'header-became-required': {
    field: 'headers',
    versions: three,
    make: (version) => {
      const with_ = (required: boolean) =>
        withHeaders(version, { 'X-Total': { required, schema: { type: 'integer' } } })
      return isSafe(
        'response',
        [with_(false), with_(true)],
        'A response with the header was described before (Header Object, required).',
      )
    },
  },
  'required-header-removed': {
    field: 'headers',
    versions: three,
    make: (version) =>
      breaksResponse(
        [
          withHeaders(version, { 'X-Total': { required: true, schema: { type: 'integer' } } }),
          withHeaders(version, null),
        ],
        found,
      ),
  },
  'header-added': {
    field: 'headers',
    versions: three,
    make: (version) =>
      isSafe(
        'response',
        [withHeaders(version, null), withHeaders(version, { 'X-Total': { schema: { type: 'integer' } } })],
        'A response may have headers that are not described; nothing was said of this one (Response Object, headers).',
      ),
  },
  'optional-header-removed': {
    field: 'headers',
    versions: three,
    make: (version) =>
      isPolicy(
        'response',
        [withHeaders(version, { 'X-Total': { schema: { type: 'integer' } } }), withHeaders(version, null)],
        'Does it break a client when an optional header is no longer described?',
        'A response without the header was described before; a client that reads it may find nothing now.',
      ),
  },
  'header-widened': {
    field: 'headers',
    versions: three,
    make: (version, random) => {
      const bound = random.int(10, 80)
      const with_ = (maximum: number) => withHeaders(version, { 'X-Total': { schema: { type: 'integer', maximum } } })
      return breaksResponse([with_(bound), with_(bound + 5)], { ...found, headers: { 'x-total': String(bound + 5) } })
    },
  },
  'header-narrowed': {
    field: 'headers',
    versions: three,
    make: (version, random) => {
      const bound = random.int(10, 80)
      const with_ = (maximum: number) => withHeaders(version, { 'X-Total': { schema: { type: 'integer', maximum } } })
      return isSafe(
        'response',
        [with_(bound + 5), with_(bound)],
        'Each value that is sent now was described before (Header Object, schema).',
      )
    },
  },
  'content-type-header-described': {
    field: 'headers',
    versions: three,
    make: (version) =>
      isSafe(
        'response',
        [
          withHeaders(version, null),
          withHeaders(version, { 'Content-Type': { required: true, schema: { type: 'integer' } } }),
        ],
        'A header of the name Content-Type is ignored (Response Object, headers).',
      ),
  },
  'response-media-type-replaced': {
    field: 'content',
    versions: three,
    make: (version, random) => {
      const type = random.pick(['text/csv', 'text/plain', 'application/xml'])
      const with_ = (media: string) =>
        answering(version, { '200': { description: 'Found', content: { [media]: { schema: { type: 'string' } } } } })
      return breaksResponse([with_('application/json'), with_(type)], {
        ...found,
        headers: { 'content-type': type },
        body: 'x',
      })
    },
  },
  'response-media-type-added': {
    field: 'content',
    versions: three,
    make: (version) => {
      const content = jsonContent({ type: 'string' })
      const with_ = (more: JsonObject) =>
        answering(version, { '200': { description: 'Found', content: { ...content, ...more } } })
      return isPolicy(
        'response',
        [with_({}), with_({ 'text/csv': { schema: { type: 'string' } } })],
        'May a service answer in a media type that a client did not ask for?',
        'A client may name what it accepts, and the document does not say what follows.',
      )
    },
  },
  'response-media-type-removed': {
    field: 'content',
    versions: three,
    make: (version) => {
      const content = jsonContent({ type: 'string' })
      const with_ = (more: JsonObject) =>
        answering(version, { '200': { description: 'Found', content: { ...content, ...more } } })
      return isPolicy(
        'response',
        [with_({ 'text/csv': { schema: { type: 'string' } } }), with_({})],
        'Does it break a client when one of several media types is no longer offered?',
        'Each response that is sent now was described before; a client that asks for the other type may get none.',
      )
    },
  },
  'success-status-replaced': {
    field: 'responses',
    versions: three,
    make: (version, random) => {
      const status = random.pick([201, 202])
      const with_ = (code: number) => answering(version, { [String(code)]: { description: 'Done' } })
      return breaksResponse([with_(200), with_(status)], { ...get, status })
    },
  },
  'success-status-added': {
    field: 'responses',
    versions: three,
    make: (version) =>
      isPolicy(
        'response',
        [
          answering(version, { '200': { description: 'Done' } }),
          answering(version, { '200': { description: 'Done' }, '202': { description: 'Later' } }),
        ],
        'Does it break a client when another successful status can be answered?',
        'A document need not cover every status, and is expected to cover the successful one (Responses Object).',
      ),
  },
  'success-status-removed': {
    field: 'responses',
    versions: three,
    make: (version) =>
      isPolicy(
        'response',
        [
          answering(version, { '200': { description: 'Done' }, '202': { description: 'Later' } }),
          answering(version, { '200': { description: 'Done' } }),
        ],
        'Does it break a client when one of several successful statuses is no longer answered?',
        'Each response that is sent now was described before.',
      ),
  },
  'error-status-removed': {
    field: 'responses',
    versions: three,
    make: (version, random) => {
      const status = random.pick(['404', '409', '429'])
      const responses = { '200': { description: 'Found' } }
      return isSafe(
        'response',
        [answering(version, { ...responses, [status]: { description: 'Failed' } }), answering(version, responses)],
        'Each response that is described now was described before (Responses Object).',
      )
    },
  },
  'error-status-added': {
    field: 'responses',
    versions: three,
    make: (version, random) => {
      const status = random.pick(['404', '409', '429'])
      const responses = { '200': { description: 'Found' } }
      return isPolicy(
        'response',
        [answering(version, responses), answering(version, { ...responses, [status]: { description: 'Failed' } })],
        'Does it break a client when another error is described?',
        'A document need not cover every status, and is expected to cover known errors (Responses Object).',
      )
    },
  },
  'status-widened-to-range': {
    field: 'responses',
    versions: three,
    make: (version) => {
      const with_ = (status: string) => answering(version, { [status]: { description: 'Done' } })
      return breaksResponse([with_('200'), with_('2XX')], { ...get, status: 204 })
    },
  },
  'status-narrowed-from-range': {
    field: 'responses',
    versions: three,
    make: (version) => {
      const with_ = (status: string) =>
        answering(version, { [status]: { description: 'Done', content: jsonContent({ type: 'string' }) } })
      return isSafe(
        'response',
        [with_('2XX'), with_('200')],
        'The range describes each of its statuses (Responses Object, HTTP Status Codes).',
      )
    },
  },
  'default-response-narrowed': {
    field: 'responses',
    versions: three,
    make: (version) => {
      const responses = { '200': { description: 'Found' } }
      const error = { description: 'Failed', content: jsonContent({ type: 'object' }) }
      return isSafe(
        'response',
        [answering(version, { ...responses, default: error }), answering(version, { ...responses, '500': error })],
        'The default describes each status that is not listed (Responses Object, default).',
      )
    },
  },
  'links-changed': {
    field: 'links',
    versions: three,
    make: (version, random) => {
      const with_ = (links: JsonObject) =>
        documentOf(version, {
          '/things': { get: { operationId: 'list', responses: { '200': { description: 'Found', ...links } } } },
        })
      const links = { links: { again: { operationId: 'list', description: random.noun() } } }
      return isSafe(
        'response',
        [with_({}), with_(links)],
        'A link is a hint for clients and changes no response (Link Object).',
      )
    },
  },
}
