export type Answer = 'breaking' | 'safe'

/**
 * What a profile says about the changes of a rule; where it names directions, about these alone. `parameter` counts before
 * `request` for values that travel as text, `unsent` before all for properties that are not sent in the direction.
 */
export type RuleStance = Answer | Readonly<Partial<Record<'request' | 'response' | 'parameter' | 'unsent', Answer>>>
