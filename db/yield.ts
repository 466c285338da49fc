/** Lets others of this process have their turn: an embedded database answers without ever giving it away. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
