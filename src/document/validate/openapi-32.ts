import { any, flag, type Grammar, list, map, matching, node, nodeOrRef, oneOf, text, uri } from './grammar.ts'
import { checkParameter, components, flowFields, flows, nodes30, pathItem } from './openapi-30.ts'
import { anySchema, nodes31, parameter31 } from './openapi-31.ts'
import { xml } from './schema-nodes.ts'

const media32 = map(nodeOrRef('MediaType'))
const content32 = { kind: 'map', value: nodeOrRef('MediaType'), only: 1 } as const

/** OpenAPI 3.2.x: 3.1 and what it adds. */
export const openapi32: Grammar = {
  title: 'OpenAPI 3.2',
  root: 'Document',
  warnsIn: 'Schema',
  nodes: {
    ...nodes31,
    Document: {
      ...nodes31.Document,
      fields: { ...nodes31.Document?.fields, openapi: matching(/^3\.2\.\d+(?:-.+)?$/, 'a version 3.2.x'), $self: uri },
    },
    Server: { ...nodes30.Server, fields: { ...nodes30.Server?.fields, name: text } },
    Components: { fields: { ...nodes31.Components?.fields, mediaTypes: components(nodeOrRef('MediaType')) } },
    PathItem: {
      fields: { ...pathItem.fields, query: node('Operation'), additionalOperations: map(node('Operation')) },
    },
    Parameter: {
      ...parameter31,
      fields: {
        ...parameter31.fields,
        in: oneOf('path', 'query', 'querystring', 'header', 'cookie'),
        content: content32,
      },
      check: (value, report) => {
        if (value.in !== 'cookie' && value.in !== 'path' && value.in !== 'header')
          checkParameter('anywhere')(value, report)
        else if (value.in === 'cookie' && value.style === 'cookie')
          checkParameter('anywhere')({ ...value, style: 'form' }, report)
        else checkParameter('anywhere')(value, report)
      },
    },
    Header: { ...nodes31.Header, fields: { ...nodes31.Header?.fields, content: content32 } },
    RequestBody: { ...nodes30.RequestBody, fields: { ...nodes30.RequestBody?.fields, content: media32 } },
    Response: {
      fields: { ...nodes30.Response?.fields, summary: text, content: media32 },
    },
    MediaType: {
      ...nodes31.MediaType,
      fields: {
        ...nodes31.MediaType?.fields,
        itemSchema: anySchema,
        prefixEncoding: list(node('Encoding')),
        itemEncoding: node('Encoding'),
      },
    },
    Encoding: {
      fields: {
        ...nodes30.Encoding?.fields,
        encoding: map(node('Encoding')),
        prefixEncoding: list(node('Encoding')),
        itemEncoding: node('Encoding'),
      },
    },
    Example: { fields: { ...nodes30.Example?.fields, dataValue: any, serializedValue: text } },
    Tag: { ...nodes30.Tag, fields: { ...nodes30.Tag?.fields, summary: text, parent: text, kind: text } },
    Discriminator: {
      fields: { propertyName: text, mapping: map(text), defaultMapping: text },
      required: ['propertyName'],
      open: true,
    },
    Xml: { fields: { ...xml.fields, nodeType: text } },
    OAuthFlows: { fields: { ...flows.OAuthFlows?.fields, deviceAuthorization: node('DeviceFlow') } },
    DeviceFlow: {
      fields: { ...flowFields, deviceAuthorizationUrl: uri, tokenUrl: uri },
      required: ['deviceAuthorizationUrl', 'tokenUrl', 'scopes'],
    },
    SecurityScheme: {
      ...nodes31.SecurityScheme,
      fields: { ...nodes31.SecurityScheme?.fields, deprecated: flag, oauth2MetadataUrl: uri },
    },
  },
}
