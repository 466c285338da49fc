/** How many files a document may refer to, directly or through each other, wherever they are read from. */
export const mostReferenced = 5000
