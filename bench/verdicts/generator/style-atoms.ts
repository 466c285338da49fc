/** Atoms of the styles of parameters of OpenAPI 3. */
import type { JsonObject } from '../case.ts'
import { breaksRequest, isSafe, three, type Templates } from './message-atom.ts'
import { filter, list, taking } from './pieces.ts'

export const styleAtoms: Templates = {
  'style-form-to-pipes': {
    field: 'style',
    versions: three,
    make: (version) => {
      const with_ = (style: string) =>
        taking(version, [{ name: 'ids', in: 'query', style, explode: false, schema: list }])
      return breaksRequest([with_('form'), with_('pipeDelimited')], { method: 'GET', url: '/things?ids=1,2' })
    },
  },
  'style-space-to-pipes': {
    field: 'style',
    versions: three,
    make: (version) => {
      const with_ = (style: string) =>
        taking(version, [{ name: 'ids', in: 'query', style, explode: false, schema: list }])
      return breaksRequest([with_('spaceDelimited'), with_('pipeDelimited')], {
        method: 'GET',
        url: '/things?ids=1%202',
      })
    },
  },
  'style-deep-object-to-form': {
    field: 'style',
    versions: three,
    make: (version) => {
      const with_ = (style: string) =>
        taking(version, [{ name: 'filter', in: 'query', required: true, style, explode: true, schema: filter }])
      return breaksRequest([with_('deepObject'), with_('form')], { method: 'GET', url: '/things?filter%5Blevel%5D=3' })
    },
  },
  'style-simple-to-label': {
    field: 'style',
    versions: three,
    make: (version) => {
      const with_ = (style: string) =>
        taking(
          version,
          [{ name: 'id', in: 'path', required: true, style, schema: { type: 'integer' } }],
          '/things/{id}',
        )
      return breaksRequest([with_('simple'), with_('label')], { method: 'GET', url: '/things/5' })
    },
  },
  'style-simple-to-matrix': {
    field: 'style',
    versions: three,
    make: (version) => {
      const with_ = (style: string) =>
        taking(
          version,
          [{ name: 'id', in: 'path', required: true, style, schema: { type: 'integer' } }],
          '/things/{id}',
        )
      return breaksRequest([with_('simple'), with_('matrix')], { method: 'GET', url: '/things/5' })
    },
  },
  'style-default-written': {
    field: 'style',
    versions: three,
    make: (version, random) => {
      const [place = '', style = ''] = random.pick([
        ['query', 'form'],
        ['header', 'simple'],
      ])
      const with_ = (more: JsonObject) => taking(version, [{ name: 'ids', in: place, schema: list, ...more }])
      return isSafe(
        'request',
        [with_({}), with_({ style, explode: style === 'form' })],
        'The written values are the ones that hold without them (Parameter Object, style and explode).',
      )
    },
  },
  'explode-removed-of-list': {
    field: 'explode',
    versions: three,
    make: (version) => {
      const with_ = (explode: boolean) => taking(version, [{ name: 'ids', in: 'query', explode, schema: list }])
      return breaksRequest([with_(true), with_(false)], { method: 'GET', url: '/things?ids=1&ids=2' })
    },
  },
  'explode-added-to-list': {
    field: 'explode',
    versions: three,
    make: (version) => {
      const with_ = (explode: boolean) => taking(version, [{ name: 'ids', in: 'query', explode, schema: list }])
      return breaksRequest([with_(false), with_(true)], { method: 'GET', url: '/things?ids=1,2' })
    },
  },
  'explode-of-scalar': {
    field: 'explode',
    versions: three,
    make: (version, random) => {
      const [name = ''] = random.names(1)
      const type = random.pick(['string', 'integer', 'boolean'])
      const with_ = (explode: boolean) => taking(version, [{ name, in: 'query', explode, schema: { type } }])
      return isSafe(
        'request',
        [with_(true), with_(false)],
        'The field has no effect on parameters that are neither arrays nor objects (Parameter Object, explode).',
      )
    },
  },
  'explode-of-path-list': {
    field: 'explode',
    versions: three,
    make: (version) => {
      const with_ = (explode: boolean) =>
        taking(version, [{ name: 'ids', in: 'path', required: true, explode, schema: list }], '/things/{ids}')
      return isSafe(
        'request',
        [with_(false), with_(true)],
        'In the style simple an array is written with commas whether it is exploded or not (Style Examples).',
      )
    },
  },
}
