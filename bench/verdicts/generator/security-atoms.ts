/** Atoms of security requirements and schemes of OpenAPI 3. */
import { documentOf } from './documents.ts'
import { breaksRequest, isPolicy, isSafe, three, type Templates } from './message-atom.ts'
import { apiKey, basic, bearer, done, get, oauth, plain, secured } from './pieces.ts'

export const securityAtoms: Templates = {
  'security-added': {
    field: 'security',
    versions: three,
    make: (version, random) => {
      const scheme = random.pick([apiKey, basic, bearer])
      return breaksRequest(
        [
          plain(version, { components: { securitySchemes: { scheme } } }),
          secured(version, [{ scheme: [] }], { scheme }),
        ],
        get,
      )
    },
  },
  'security-removed': {
    field: 'security',
    versions: three,
    make: (version, random) => {
      const scheme = random.pick([apiKey, basic, bearer])
      return isSafe(
        'request',
        [
          secured(version, [{ scheme: [] }], { scheme }),
          plain(version, { components: { securitySchemes: { scheme } } }),
        ],
        'Requests with credentials are described as before; none are asked for (OpenAPI Object, security).',
      )
    },
  },
  'security-alternative-removed': {
    field: 'security',
    versions: three,
    make: (version) =>
      breaksRequest(
        [
          secured(version, [{ key: [] }, { basic: [] }], { key: apiKey, basic }),
          secured(version, [{ basic: [] }], { key: apiKey, basic }),
        ],
        { ...get, headers: { 'x-key': 'k' } },
      ),
  },
  'security-alternative-added': {
    field: 'security',
    versions: three,
    make: (version) =>
      isSafe(
        'request',
        [
          secured(version, [{ basic: [] }], { key: apiKey, basic }),
          secured(version, [{ basic: [] }, { key: [] }], { key: apiKey, basic }),
        ],
        'One of the listed alternatives has to be met, and the list has one more (Security Requirement Object).',
      ),
  },
  'security-optional-removed': {
    field: 'security',
    versions: three,
    make: (version) =>
      breaksRequest(
        [secured(version, [{}, { basic: [] }], { basic }), secured(version, [{ basic: [] }], { basic })],
        get,
      ),
  },
  'security-combined': {
    field: 'security',
    versions: three,
    make: (version) =>
      breaksRequest(
        [
          secured(version, [{ basic: [] }], { key: apiKey, basic }),
          secured(version, [{ basic: [], key: [] }], { key: apiKey, basic }),
        ],
        { ...get, headers: { authorization: 'Basic eDp5' } },
      ),
  },
  'security-scope-added': {
    field: 'security',
    versions: three,
    make: (version) =>
      breaksRequest(
        [
          secured(version, [{ login: ['read'] }], { login: oauth() }),
          secured(version, [{ login: ['read', 'write'] }], { login: oauth() }),
        ],
        { ...get, headers: { authorization: 'Bearer t' }, scopes: ['read'] },
      ),
  },
  'security-scope-removed': {
    field: 'security',
    versions: three,
    make: (version) =>
      isSafe(
        'request',
        [
          secured(version, [{ login: ['read', 'write'] }], { login: oauth() }),
          secured(version, [{ login: ['read'] }], { login: oauth() }),
        ],
        'A token with both scopes has the one that is asked for (Security Requirement Object).',
      ),
  },
  'security-key-renamed-on-the-wire': {
    field: 'securitySchemes',
    versions: three,
    make: (version) =>
      breaksRequest(
        [
          secured(version, [{ key: [] }], { key: apiKey }),
          secured(version, [{ key: [] }], { key: { ...apiKey, name: 'x-other' } }),
        ],
        { ...get, headers: { 'x-key': 'k' } },
      ),
  },
  'security-key-moved': {
    field: 'securitySchemes',
    versions: three,
    make: (version, random) =>
      breaksRequest(
        [
          secured(version, [{ key: [] }], { key: apiKey }),
          secured(version, [{ key: [] }], { key: { ...apiKey, in: random.pick(['query', 'cookie']) } }),
        ],
        { ...get, headers: { 'x-key': 'k' } },
      ),
  },
  'security-scheme-replaced': {
    field: 'securitySchemes',
    versions: three,
    make: (version) =>
      breaksRequest(
        [secured(version, [{ login: [] }], { login: basic }), secured(version, [{ login: [] }], { login: bearer })],
        { ...get, headers: { authorization: 'Basic eDp5' } },
      ),
  },
  'security-bearer-format': {
    field: 'bearerFormat',
    versions: three,
    make: (version) =>
      isSafe(
        'request',
        [
          secured(version, [{ login: [] }], { login: bearer }),
          secured(version, [{ login: [] }], { login: { ...bearer, bearerFormat: 'JWT' } }),
        ],
        'The format of a bearer token is a hint (Security Scheme Object, bearerFormat).',
      ),
  },
  'security-name-of-scheme': {
    field: 'securitySchemes',
    versions: three,
    make: (version, random) => {
      const [one = '', two = ''] = random.names(2)
      return isSafe(
        'request',
        [secured(version, [{ [one]: [] }], { [one]: bearer }), secured(version, [{ [two]: [] }], { [two]: bearer })],
        'The key of a scheme is a name within the document (Components Object).',
      )
    },
  },
  'security-moved-to-operation': {
    field: 'security',
    versions: three,
    make: (version) => {
      const head = documentOf(
        version,
        { '/things': { get: { security: [{ login: [] }], responses: done } } },
        { components: { securitySchemes: { login: bearer } } },
      )
      return isSafe(
        'request',
        [secured(version, [{ login: [] }], { login: bearer }), head],
        'Requirements of an operation take the place of those of the document (Operation Object, security).',
      )
    },
  },
  'security-token-url-changed': {
    field: 'flows',
    versions: three,
    make: (version) =>
      isPolicy(
        'request',
        [
          secured(version, [{ login: ['read'] }], { login: oauth() }),
          secured(version, [{ login: ['read'] }], { login: oauth('https://id.example.com/token') }),
        ],
        'Does it break a client when tokens come from another address?',
        'Requests to the API are the same; whether the old address still gives tokens is not said.',
      ),
  },
}
