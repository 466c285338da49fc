/** Why a SCIM request cannot be done, by the words of RFC 7644, section 3.12. */
export type ScimType = 'invalidFilter' | 'invalidSyntax' | 'invalidPath' | 'noTarget' | 'invalidValue' | 'mutability'

/** A request that cannot be done: the service answers it as an error of SCIM. */
export class ScimFailure extends Error {
  readonly scimType: ScimType
  constructor(scimType: ScimType, reason: string) {
    super(reason)
    this.name = 'ScimFailure'
    this.scimType = scimType
  }
}
