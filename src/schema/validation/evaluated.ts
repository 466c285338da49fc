/** Which members and items of one instance some keyword has looked at already (for the unevaluated keywords). */
export interface Evaluated {
  readonly keys: Set<string>
  allKeys: boolean
  readonly items: Set<number>
  allItems: boolean
}
