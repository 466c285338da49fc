/** Raised by one whenever the same document gives other parts of documentation than before. */
export const readerRevision = 3
