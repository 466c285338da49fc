/** Atoms of parameters and request bodies of OpenAPI 3. */
import type { JsonObject } from '../case.ts'
import { documentOf } from './documents.ts'
import { breaksRequest, isPolicy, isSafe, three, type Templates } from './message-atom.ts'
import { done, taking } from './pieces.ts'

export const parameterAtoms: Templates = {
  'parameter-required-added': {
    field: 'parameters',
    versions: three,
    make: (version, random) => {
      const [name = ''] = random.names(1)
      const added = { name, in: 'query', required: true, schema: { type: 'string' } }
      return breaksRequest([taking(version, []), taking(version, [added])], { method: 'GET', url: '/things' })
    },
  },
  'parameter-optional-added': {
    field: 'parameters',
    versions: three,
    make: (version, random) => {
      const [name = '', other = ''] = random.names(2)
      const kept = { name: other, in: 'query', schema: { type: 'string' } }
      const added = { name, in: 'query', schema: {} }
      return isSafe(
        'request',
        [taking(version, [kept]), taking(version, [kept, added])],
        'An optional parameter may be left out, and this one takes every value (Parameter Object, required).',
      )
    },
  },
  'parameter-removed': {
    field: 'parameters',
    versions: three,
    make: (version, random) => {
      const [name = ''] = random.names(1)
      const removed = { name, in: 'query', schema: { type: 'string' } }
      return isPolicy(
        'request',
        [taking(version, [removed]), taking(version, [])],
        'Does it break a client when the service no longer reads a parameter that the client sends?',
        'The specification does not say what a service does with a query parameter that is not described.',
      )
    },
  },
  'parameter-became-required': {
    field: 'required',
    versions: three,
    make: (version, random) => {
      const [name = ''] = random.names(1)
      const optional = { name, in: random.pick(['query', 'header']), schema: { type: 'string' } }
      return breaksRequest([taking(version, [optional]), taking(version, [{ ...optional, required: true }])], {
        method: 'GET',
        url: '/things',
      })
    },
  },
  'parameter-became-optional': {
    field: 'required',
    versions: three,
    make: (version, random) => {
      const [name = ''] = random.names(1)
      const optional = { name, in: random.pick(['query', 'header']), schema: { type: 'string' } }
      return isSafe(
        'request',
        [taking(version, [{ ...optional, required: true }]), taking(version, [optional])],
        'A request with the parameter is still described; only leaving it out is new (Parameter Object, required).',
      )
    },
  },
  'parameter-renamed': {
    field: 'name',
    versions: three,
    make: (version, random) => {
      const [name = '', other = ''] = random.names(2)
      const parameter = { in: 'query', required: true, schema: { type: 'string' } }
      return breaksRequest(
        [taking(version, [{ name, ...parameter }]), taking(version, [{ name: other, ...parameter }])],
        { method: 'GET', url: `/things?${name}=x` },
      )
    },
  },
  'parameter-moved-to-header': {
    field: 'in',
    versions: three,
    make: (version, random) => {
      const [name = ''] = random.names(1)
      const parameter = { name, required: true, schema: { type: 'string' } }
      return breaksRequest(
        [taking(version, [{ ...parameter, in: 'query' }]), taking(version, [{ ...parameter, in: 'header' }])],
        { method: 'GET', url: `/things?${name}=x` },
      )
    },
  },
  'parameter-narrowed': {
    field: 'schema',
    versions: three,
    make: (version, random) => {
      const [name = ''] = random.names(1)
      const bound = random.int(10, 90)
      const with_ = (schema: JsonObject) => taking(version, [{ name, in: 'query', schema }])
      return breaksRequest(
        [with_({ type: 'integer', maximum: bound }), with_({ type: 'integer', maximum: bound - 3 })],
        { method: 'GET', url: `/things?${name}=${bound}` },
      )
    },
  },
  'parameter-widened': {
    field: 'schema',
    versions: three,
    make: (version, random) => {
      const [name = ''] = random.names(1)
      const with_ = (schema: JsonObject) => taking(version, [{ name, in: 'query', schema }])
      return isSafe(
        'request',
        [with_({ type: 'integer' }), with_({ type: 'string' })],
        'A parameter is text on the wire, and the text of every integer is a string (Parameter Object, style).',
      )
    },
  },
  'parameter-type-narrowed-on-the-wire': {
    field: 'schema',
    versions: three,
    make: (version, random) => {
      const [name = ''] = random.names(1)
      const with_ = (schema: JsonObject) => taking(version, [{ name, in: 'query', schema }])
      return breaksRequest([with_({ type: 'string' }), with_({ type: 'integer' })], {
        method: 'GET',
        url: `/things?${name}=x1`,
      })
    },
  },
  'allow-empty-value-removed': {
    field: 'allowEmptyValue',
    versions: three,
    make: (version, random) => {
      const [name = ''] = random.names(1)
      const parameter = { name, in: 'query', schema: { type: 'integer' } }
      return breaksRequest([taking(version, [{ ...parameter, allowEmptyValue: true }]), taking(version, [parameter])], {
        method: 'GET',
        url: `/things?${name}=`,
      })
    },
  },
  'allow-empty-value-added': {
    field: 'allowEmptyValue',
    versions: three,
    make: (version, random) => {
      const [name = ''] = random.names(1)
      const parameter = { name, in: 'query', schema: { type: 'integer' } }
      return isSafe(
        'request',
        [taking(version, [parameter]), taking(version, [{ ...parameter, allowEmptyValue: true }])],
        'The field allows one more text, the empty one (Parameter Object, allowEmptyValue).',
      )
    },
  },
  'allow-reserved-changed': {
    field: 'allowReserved',
    versions: three,
    make: (version, random) => {
      const [name = ''] = random.names(1)
      const parameter = { name, in: 'query', schema: { type: 'string' } }
      return isPolicy(
        'request',
        [taking(version, [{ ...parameter, allowReserved: true }]), taking(version, [parameter])],
        'Does a service still read reserved characters that are not percent-encoded?',
        'The field says how a client writes the value; what else a service reads is left to it (Parameter Object, allowReserved).',
      )
    },
  },
  'parameter-content-json': {
    field: 'content',
    versions: three,
    make: (version, random) => {
      const [name = ''] = random.names(1)
      const schema = { type: 'string' }
      return breaksRequest(
        [
          taking(version, [{ name, in: 'query', schema }]),
          taking(version, [{ name, in: 'query', content: { 'application/json': { schema } } }]),
        ],
        { method: 'GET', url: `/things?${name}=plain` },
      )
    },
  },
  'parameter-content-of-number': {
    field: 'content',
    versions: three,
    make: (version, random) => {
      const [name = ''] = random.names(1)
      const schema = { type: 'integer' }
      return isSafe(
        'request',
        [
          taking(version, [{ name, in: 'query', schema }]),
          taking(version, [{ name, in: 'query', content: { 'application/json': { schema } } }]),
        ],
        'The text of an integer is the same in the style form and in JSON (Parameter Object, content).',
      )
    },
  },
  'parameter-default-changed': {
    field: 'default',
    versions: three,
    make: (version, random) => {
      const [name = ''] = random.names(1)
      const with_ = (value: number) =>
        taking(version, [{ name, in: 'query', schema: { type: 'integer', default: value } }])
      return isPolicy(
        'request',
        [with_(10), with_(random.int(20, 50))],
        'Does it break a client that omits a parameter when its default changes?',
        'Both sides accept the same requests; what they answer may differ.',
      )
    },
  },
  'parameter-documented': {
    field: 'description',
    versions: three,
    make: (version, random) => {
      const [name = ''] = random.names(1)
      const parameter = { name, in: 'query', schema: { type: 'string' } }
      const more = random.pick<JsonObject>([
        { description: 'Says which' },
        { deprecated: true },
        { example: 'x' },
        { examples: { one: { value: 'x' } } },
      ])
      return isSafe(
        'request',
        [taking(version, [parameter]), taking(version, [{ ...parameter, ...more }])],
        'Descriptions, examples and deprecation change no request (Parameter Object).',
      )
    },
  },
  'path-parameter-narrowed': {
    field: 'schema',
    versions: three,
    make: (version, random) => {
      const with_ = (type: string) =>
        taking(version, [{ name: 'id', in: 'path', required: true, schema: { type } }], '/things/{id}')
      return breaksRequest([with_('string'), with_('integer')], {
        method: 'GET',
        url: `/things/${random.pick(['abc', 'x7', 'one'])}`,
      })
    },
  },
  'path-parameter-renamed': {
    field: 'name',
    versions: three,
    make: (version, random) => {
      const [name = '', other = ''] = random.names(2)
      const with_ = (named: string) =>
        taking(version, [{ name: named, in: 'path', required: true, schema: { type: 'string' } }], `/things/{${named}}`)
      return isSafe(
        'request',
        [with_(name), with_(other)],
        'A client sends the value of a path parameter, never its name (Path Templating).',
      )
    },
  },
  'header-name-case': {
    field: 'name',
    versions: three,
    make: (version) => {
      const with_ = (name: string) =>
        taking(version, [{ name, in: 'header', required: true, schema: { type: 'string' } }])
      return isSafe(
        'request',
        [with_('X-Trace'), with_('x-trace')],
        'Names of headers are compared without case (Parameter Locations; RFC 9110, 5.1).',
      )
    },
  },
  'query-name-case': {
    field: 'name',
    versions: three,
    make: (version) => {
      const with_ = (name: string) =>
        taking(version, [{ name, in: 'query', required: true, schema: { type: 'string' } }])
      return breaksRequest([with_('Trace'), with_('trace')], { method: 'GET', url: '/things?Trace=1' })
    },
  },
  'cookie-required-added': {
    field: 'in',
    versions: three,
    make: (version, random) => {
      const [name = ''] = random.names(1)
      const cookie = { name, in: 'cookie', required: true, schema: { type: 'string' } }
      return breaksRequest([taking(version, []), taking(version, [cookie])], { method: 'GET', url: '/things' })
    },
  },
  'parameter-from-path-item': {
    field: 'parameters',
    versions: three,
    make: (version, random) => {
      const [name = ''] = random.names(1)
      const parameters = [{ name, in: 'query', schema: { type: 'integer' } }]
      const shared = documentOf(version, { '/things': { parameters, get: { responses: done } } })
      return isSafe(
        'request',
        [shared, taking(version, parameters)],
        'Parameters of a path item hold for each of its operations (Path Item Object, parameters).',
      )
    },
  },
  'path-item-parameter-overridden': {
    field: 'parameters',
    versions: three,
    make: (version, random) => {
      const [name = ''] = random.names(1)
      const parameters = [{ name, in: 'query', schema: { type: 'string' } }]
      const own = [{ name, in: 'query', schema: { type: 'integer' } }]
      const base = documentOf(version, { '/things': { parameters, get: { responses: done } } })
      const head = documentOf(version, { '/things': { parameters, get: { parameters: own, responses: done } } })
      return breaksRequest([base, head], { method: 'GET', url: `/things?${name}=x` })
    },
  },
}
