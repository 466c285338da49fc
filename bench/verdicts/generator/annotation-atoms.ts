/** Atoms of what describes values without restricting them, and of what is said to do so. */
import type { JsonObject } from '../case.ts'
import { documentOf } from './documents.ts'
import { isPolicy, isSafe, three, type Templates } from './message-atom.ts'
import { answering, jsonContent, operation } from './pieces.ts'

export const annotationAtoms: Templates = {
  'discriminator-added': {
    field: 'discriminator',
    versions: three,
    make: (version) => {
      const branches = { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }] }
      const branch = (kind: string) => ({
        type: 'object',
        required: ['kind'],
        properties: { kind: { type: 'string', enum: [kind] } },
      })
      const with_ = (more: JsonObject) =>
        documentOf(
          version,
          {
            '/things': {
              get: { responses: { '200': { description: 'Found', content: jsonContent({ ...branches, ...more }) } } },
            },
          },
          { components: { schemas: { Cat: branch('Cat'), Dog: branch('Dog') } } },
        )
      return isSafe(
        'response',
        [with_({}), with_({ discriminator: { propertyName: 'kind' } })],
        'Each value names the branch that it is valid for, so the discriminator selects what is valid anyway (Discriminator Object).',
      )
    },
  },
  'discriminator-mapping-changed': {
    field: 'discriminator',
    versions: three,
    make: (version) => {
      const branches = { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }] }
      const branch = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } }
      const dog = { ...branch, required: ['kind', 'bark'] }
      const with_ = (mapping: JsonObject) =>
        documentOf(
          version,
          {
            '/things': {
              get: {
                responses: {
                  '200': {
                    description: 'Found',
                    content: jsonContent({ ...branches, discriminator: { propertyName: 'kind', mapping } }),
                  },
                },
              },
            },
          },
          { components: { schemas: { Cat: { ...branch, required: ['kind', 'meow'] }, Dog: dog } } },
        )
      return isPolicy(
        'response',
        [with_({ c: '#/components/schemas/Cat' }), with_({ k: '#/components/schemas/Cat' })],
        'Does a client refuse a value of the discriminator that has no mapping?',
        'A discriminator is a hint that shortens validation and does not change what is valid (Discriminator Object).',
      )
    },
  },
  'xml-changed': {
    field: 'xml',
    versions: three,
    make: (version) => {
      const with_ = (xml: JsonObject) =>
        answering(version, {
          '200': {
            description: 'Found',
            content: { 'application/xml': { schema: { type: 'object', properties: { id: { type: 'string', xml } } } } },
          },
        })
      return isPolicy(
        'response',
        [with_({ attribute: true }), with_({ name: 'key' })],
        'Does a change of names in XML break a client?',
        'The element of a property changes its name on the wire; how strictly it is read is left to XML tools (XML Object).',
      )
    },
  },
  'format-changed': {
    field: 'format',
    versions: three,
    make: (version, random) => {
      const [from = '', to = ''] = random.pick([
        ['date', 'date-time'],
        ['uuid', 'uri'],
        ['int32', 'int64'],
      ])
      const type = from.startsWith('int') ? 'integer' : 'string'
      const with_ = (format: string) =>
        answering(version, { '200': { description: 'Found', content: jsonContent({ type, format }) } })
      return isPolicy(
        'response',
        [with_(from), with_(to)],
        'Does a format restrict values, or describe them?',
        'A validator checks a format only where it is configured to (2020-12, validation 7; OpenAPI, Data Types).',
      )
    },
  },
  'write-only-added': {
    field: 'writeOnly',
    versions: three,
    make: (version) => {
      const with_ = (more: JsonObject) =>
        answering(version, {
          '200': {
            description: 'Found',
            content: jsonContent({ type: 'object', properties: { id: { type: 'string', ...more } } }),
          },
        })
      return isPolicy(
        'response',
        [with_({}), with_({ writeOnly: true })],
        'Does it break a client when an optional property is no longer meant to be sent?',
        'A write-only property should not be part of responses, and the property was optional before (Schema Object, writeOnly).',
      )
    },
  },
  'default-of-property-changed': {
    field: 'default',
    versions: three,
    make: (version, random) => {
      const with_ = (value: number) =>
        answering(version, {
          '200': {
            description: 'Found',
            content: jsonContent({ type: 'object', properties: { id: { type: 'integer', default: value } } }),
          },
        })
      return isSafe(
        'response',
        [with_(1), with_(random.int(2, 90))],
        'A default is an annotation: it restricts no value (2020-12, validation 9.2; OpenAPI, Schema Object).',
      )
    },
  },
  'annotations-changed': {
    field: 'title',
    versions: three,
    make: (version, random) => {
      const more = random.pick<JsonObject>([
        { title: 'Name' },
        { description: 'The name' },
        { example: 'x' },
        { deprecated: true },
        { externalDocs: { url: 'https://example.com/' } },
      ])
      const with_ = (extra: JsonObject) =>
        answering(version, {
          '200': {
            description: 'Found',
            content: jsonContent({ type: 'object', properties: { id: { type: 'string', ...extra } } }),
          },
        })
      return isSafe('response', [with_({}), with_(more)], 'Annotations restrict no value (Schema Object).')
    },
  },
  'extension-changed': {
    field: 'x-',
    versions: three,
    make: (version, random) =>
      isSafe(
        'both',
        [operation(version, { 'x-owner': 'a' }), operation(version, { 'x-owner': random.noun() })],
        'An extension says nothing that the specification defines (Specification Extensions).',
      ),
  },
}
