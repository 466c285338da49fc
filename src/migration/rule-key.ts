/** The key of the migration rule of a property. */
export const ruleKeyOf = (property: string): string => `migration-edge-prop-${property}`
