import { createApi } from "./api";
import { createApp } from "./app";
import { createTheme } from "./theme";

void createApp(createApi(), createTheme).load();
