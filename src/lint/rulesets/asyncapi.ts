/** The rules of Spectral for AsyncAPI, by their names: rulesets may name them, but documents of that kind are not checked. */
import { wordsIn } from '../../kernel/text.ts'
import type { Ruleset } from '../rule.ts'

const ofVersion2 = `
  channel-no-empty-parameter channel-no-query-nor-fragment channel-no-trailing-slash channel-servers
  headers-schema-type-object message-examples message-messageId-uniqueness operation-description
  operation-operationId-uniqueness operation-operationId operation-security payload-default payload-examples
  payload-unsupported-schemaFormat payload schema-default schema-examples schema server-variables server-no-empty-variable
  server-no-trailing-slash server-not-example-com server-security tag-description tags-alphabetical tags-uniqueness tags
`

const ofVersion3 = `
  3-channel-no-empty-parameter 3-channel-no-query-nor-fragment 3-channel-no-trailing-slash 3-channel-servers
  3-headers-schema-type-object 3-operation-description 3-operation-security 3-payload-unsupported-schemaFormat
  3-server-no-empty-variable 3-server-no-trailing-slash 3-server-not-example-com 3-tag-description 3-tags-alphabetical
  3-tags-uniqueness 3-tags 3-document-resolved 3-document-unresolved
`

const ofBoth = `
  channel-parameters info-contact-properties info-contact info-description info-license-url info-license latest-version
  parameter-description servers unused-components-schema unused-components-server
`

/** Only for those who ask for them. */
const offByDefault = `
  info-license-url parameter-description server-not-example-com 3-server-not-example-com tag-description 3-tag-description
  tags-alphabetical 3-tags-alphabetical
`

const off = new Set(wordsIn(offByDefault))

const rulesOf = (text: string, formats: readonly string[]): Ruleset =>
  Object.fromEntries(
    wordsIn(text).map((name) => [
      `asyncapi-${name}`,
      {
        given: [],
        then: [],
        formats,
        skipped: 'svc does not check AsyncAPI documents',
        ...(off.has(name) ? { recommended: false } : {}),
      },
    ]),
  )

/** `spectral:asyncapi`: each rule is skipped by its name where a document is of its format. */
export const asyncapiRules: Ruleset = {
  ...rulesOf(ofVersion2, ['aas2']),
  ...rulesOf(ofVersion3, ['aas3']),
  ...rulesOf(ofBoth, ['aas2', 'aas3']),
}
