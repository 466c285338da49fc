/**
 * Raised by one whenever the same import renders to other bytes than before: renderings that were kept by an earlier
 * revision are not used any more. A test notices when it was forgotten.
 */
export const renderingRevision = 1
