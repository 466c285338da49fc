/**
 * What a conversion can note, by code. A loss changes what the document says: fewer or more values are accepted, or a field has no
 * counterpart. Everything else says the same in other words, or had no effect before.
 */
export interface Note {
  readonly title: string
  readonly explain: string
  readonly loss: boolean
}

const loss = (title: string, explain: string): Note => ({ title, explain, loss: true })
const same = (title: string, explain: string): Note => ({ title, explain, loss: false })

const kept = 'The field is kept as an extension with the prefix "x-", which other programs ignore.'

/** Notes of conversions from Swagger 2.0, which imports have too. */
const fromSwagger = {
  'allow-empty-value': loss(
    'A form field that may be empty',
    'OpenAPI 3 has "allowEmptyValue" for query parameters only, so this form field loses it.',
  ),
  'body-and-form': loss(
    'Form fields beside a body',
    'An operation of Swagger 2.0 has either a body or form fields. The body is kept and the form fields are removed.',
  ),
  'collection-format': loss(
    'A separator of arrays',
    'OpenAPI 3 has no style for this "collectionFormat" at this place; commas or separate parts are used.',
  ),
  'deep-reference': loss(
    'A reference into a changed structure',
    'The reference leads to a part that OpenAPI 3 structures in another way. Move the part to "definitions" before the conversion.',
  ),
  'example-type': loss(
    'An example without a media type',
    'Examples of a response are listed by media type. The name of this one is not a media type, so the example is removed.',
  ),
  'form-field-unused': same(
    'A shared form field that nothing uses',
    'OpenAPI 3 has no components for form fields: they are written where they are used, and this one is not.',
  ),
  'form-type': loss(
    'A media type that cannot contain form fields',
    'Form fields need "multipart/form-data" or "application/x-www-form-urlencoded"; other types of "consumes" are removed.',
  ),
  renamed: same(
    'A component with another name',
    'Names of components in OpenAPI 3 have letters, digits, ".", "-" and "_". References to the component follow.',
  ),
  'schemes-without-host': loss(
    'Schemes without a host',
    'OpenAPI 3 writes the scheme in the URL of a server, which needs a host.',
  ),
} as const

/** Notes of conversions to OpenAPI 3.1, which imports have too. */
const to31 = {
  'bound-missing': same(
    'An exclusive bound without a bound',
    '"exclusiveMinimum: true" and "exclusiveMaximum: true" have no effect without "minimum" and "maximum", and are removed.',
  ),
  'example-twice': loss(
    'An example with a value and an address',
    'OpenAPI 3.1 allows only one of "value" and "externalValue". The address is kept as "x-externalValue".',
  ),
  'item-schema': loss(
    'A sequential media type',
    'OpenAPI 3.1 cannot describe the items of a stream: "itemSchema" becomes the schema of an array.',
  ),
  'not-in-3.1': loss('A field of OpenAPI 3.2', `OpenAPI 3.1 does not have this field. ${kept}`),
  'nullable-ignored': same(
    '"nullable" in OpenAPI 3.1',
    'OpenAPI 3.1 has no "nullable": it has no effect and is kept as "x-nullable". Use a list of types with "null".',
  ),
  'nullable-without-type': same(
    '"nullable" without a type',
    'By the letter of OpenAPI 3.0.3, "nullable" has an effect only beside "type". Most documents that write it elsewhere mean that null is allowed: svc reads them like that everywhere, and the result says so. Write "type" to say it in both versions.',
  ),
  'ref-siblings': same(
    'Keywords beside a reference',
    'Keywords beside "$ref" have no effect in this version, and would have one in the other, so they are removed.',
  ),
  'version-unknown': loss(
    'An unsupported version',
    'svc knows OpenAPI 3.0, 3.1 and 3.2. The document was read as 3.1.',
  ),
} as const

/** Notes of conversions from OpenAPI 3.1 to 3.0. */
const to30 = {
  'body-without-effect': loss(
    'A body of GET, HEAD or DELETE',
    'OpenAPI 3.0 has clients ignore the request body of these methods.',
  ),
  'content-keywords': loss(
    'Encoded content',
    `OpenAPI 3.0 knows "format: byte" and "format: binary" for encoded strings, and nothing else of "contentEncoding", "contentMediaType" and "contentSchema". ${kept}`,
  ),
  'contains-count': loss('A number of matching items', `OpenAPI 3.0 has no "minContains" and "maxContains". ${kept}`),
  'dynamic-reference': loss(
    'A dynamic reference',
    'OpenAPI 3.0 has no "$dynamicRef". It becomes a reference to the schema that it leads to without any dynamic scope.',
  ),
  'examples-left': loss(
    'Several examples of a schema',
    'A schema of OpenAPI 3.0 has one "example". The first one is used, and the list is kept as "x-examples".',
  ),
  'keyword-unknown': loss(
    'A keyword that schemas of OpenAPI 3.0 do not have',
    `Schemas of OpenAPI 3.0 have a fixed list of keywords. ${kept}`,
  ),
  'mutual-tls': loss(
    'Mutual TLS',
    'OpenAPI 3.0 has no security scheme for client certificates. It becomes "type: http" with the scheme "mutualTLS", which programs do not know.',
  ),
  'not-in-3.0': loss('A field of OpenAPI 3.1', `OpenAPI 3.0 does not have this field. ${kept}`),
  'path-item-unused': loss(
    'A shared path item that nothing uses',
    'OpenAPI 3.0 has no components for path items: they are written where they are used, and this one is not.',
  ),
  'pattern-properties': loss(
    'Properties by pattern',
    `OpenAPI 3.0 has no "patternProperties". ${kept} "additionalProperties" is widened, so that what was allowed still is.`,
  ),
  'prefix-items': loss('A tuple', `OpenAPI 3.0 has no "prefixItems". ${kept} Each item may be any of its schemas.`),
  'property-names': loss('Rules for names of properties', `OpenAPI 3.0 has no "propertyNames". ${kept}`),
  'reference-lost': loss(
    'A reference without a target',
    'The reference leads to a part that does not exist in the result.',
  ),
  'reference-texts': loss(
    'Texts beside a reference',
    'OpenAPI 3.0 ignores "summary" and "description" beside "$ref", so they are removed.',
  ),
  'responses-required': loss(
    'An operation without responses',
    'OpenAPI 3.0 requires a response for each operation. A default response without content is added.',
  ),
  'schema-dialect': loss(
    'Another dialect of JSON Schema',
    'OpenAPI 3.0 has one dialect of schemas. The schemas are read as JSON Schema 2020-12.',
  ),
  'security-roles': loss(
    'Roles of a security scheme',
    'OpenAPI 3.0 lists scopes only for OAuth 2 and OpenID Connect. Roles of other schemes are removed.',
  ),
  unevaluated: loss(
    'Properties or items that nothing else looks at',
    `"unevaluatedProperties" and "unevaluatedItems" count what other schemas have looked at, which this version cannot say. ${kept}`,
  ),
} as const

/** Notes of conversions to JSON Schema. */
const toSchema = {
  'schemas-only': same(
    'Schemas alone',
    'JSON Schema describes values. Operations, parameters and everything else of an API are not part of the result.',
  ),
  'not-in-draft': loss(
    'A keyword that this draft does not have',
    'The keyword is kept, but validators of this draft ignore it, so that more values are valid.',
  ),
} as const

/** Every note of a conversion. */
export const conversionNotes: Readonly<Record<string, Note>> = { ...fromSwagger, ...to31, ...to30, ...toSchema }

/** Whether a note says that something was lost; codes of other origin count as losses. */
export const isLoss = (code: string): boolean => conversionNotes[code]?.loss ?? true
