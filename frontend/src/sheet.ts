/** Whether what opens over the grid is a sheet at the foot of the screen: the stylesheet's breakpoint. */
export const isSheet = (): boolean => window.matchMedia?.("(max-width: 640px)").matches ?? false;
