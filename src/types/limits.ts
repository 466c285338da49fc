/** The kinds of sources that types are read from. */
export const sourceKinds = ['json-schema', 'openapi', 'type-def-bundle'] as const
export type SourceKind = (typeof sourceKinds)[number]

/** How deep references between types are followed. */
export const referenceDepth = 32
